import type { Db } from '#db/client.ts';
import { closeRun, openRun } from '#db/queries/demo/demo-runs.ts';
import {
  clearUploadMarks,
  type OfferInsert,
  reseedOffers,
  seedAnalytics,
  seedListingDays,
  seedSales,
  setAllModes,
} from '#db/queries/demo/seed.ts';
import { recordOfferSets } from '#db/queries/marketplaces/offers/offer-aggregates.ts';
import { type Cents, cents, hours, type Instant } from '#domain/units.ts';
import { computeDueSales } from '#usecases/catalog/sales/compute-sales.ts';
import { decideListings } from '#usecases/repricing/pricing/decide-listings.ts';
import { loadPricingContext } from '#usecases/repricing/pricing/pricing-context.ts';
import { recordDecisions } from '#usecases/repricing/pricing/record-decisions.ts';
import { reportOn } from './demo-analytics.ts';
import type { DemoListing } from './demo-catalog.ts';
import { competitorsOf, type DemoCompetitor, offersAt } from './demo-market.ts';
import type { DemoOrder } from './demo-money.ts';
import { type DemoSale, namesOfOrder, type OrderNames, salesOf } from './demo-sales.ts';
import { bookDemoMoney } from './demo-settlements.ts';
import { setsOf, watchMarket } from './demo-watch.ts';
import type { SeededRandom } from './seeded-random.ts';

export interface SeededListing extends DemoListing {
  readonly id: number;
  /** Shows one cause of a problem; has no other seller. */
  readonly isStory: boolean;
}

/** A listing during the ninety days. */
interface ListingInHistory extends SeededListing {
  currentPrice: Cents;
  readonly competitors: readonly DemoCompetitor[];
  readonly prices: { at: Instant; price: Cents }[];
}

/** Days between two runs: each is a real run of the engine, and the visitor waits for all of them. */
const STEP_DAYS = 6;
/** The listing of the price war, and its competitor, whose price is this many cents below ours. */
export const WAR_SKU = 'WAR-1';
export const PRICE_WAR_COMPETITOR = { name: 'Undercut Outlet', key: 'undercut outlet', below: 7 } as const;
const WAR_ROUNDS = 7;

/**
 * Creates the history with the engine itself: offers change, it prices with every marketplace live, buyers buy.
 * Afterwards every marketplace is set to recommend only and no price waits for an upload.
 */
export async function makeHistory(
  tx: Db,
  seeded: readonly SeededListing[],
  random: SeededRandom,
  ofMoney: SeededRandom,
  days: number,
  now: Instant,
): Promise<void> {
  const start = (now - hours(24 * days)) as Instant;
  const listings = seeded.map(
    (listing): ListingInHistory => ({
      ...listing,
      currentPrice: listing.marketPrice,
      competitors: listing.isStory ? [] : competitorsOf(random, listing),
      prices: [{ at: start, price: listing.marketPrice }],
    }),
  );
  await setAllModes(tx, 'live');
  for (let day = STEP_DAYS; day < days; day += STEP_DAYS) {
    await marketDay(tx, listings, random, (start + hours(24 * day)) as Instant);
  }
  await wagePriceWar(tx, listings, random, now);
  await setAllModes(tx, 'recommend_only');
  // The current market, priced while recommending only: most prices are recommendations.
  const offers = await marketDay(tx, listings, random, now);
  // In the order of time, not listing by listing.
  const sales = listings
    .flatMap((listing) => salesOf(random, listing, start, now).map((sale) => ({ listing, sale })))
    .sort((one, other) => one.sale.saleDate - other.sale.saleDate)
    .map(({ listing, sale }, index) => ({
      listing,
      sale: { ...sale, ...namesOfOrder(listing.marketplace, index + 1), lineNumber: 1 },
    }));
  await seedSales(
    tx,
    sales.map(({ sale }) => sale),
  );
  await bookDemoMoney(tx, sales.map(orderOf), ofMoney, now);
  while (await computeDueSales(tx, now));
  await recordOfferSets(tx, [
    ...listings.flatMap((listing) => watchMarket(random, listing, start, now)),
    ...setsOf(offers, now),
  ]);
  await reportOnAll(tx, listings, random, now);
}

interface NumberedSale {
  readonly listing: ListingInHistory;
  readonly sale: DemoSale & OrderNames;
}

/** A sale as its marketplace knows it. */
function orderOf({ listing, sale }: NumberedSale): DemoOrder {
  const { marketplace, sku, fulfillmentType, fulfillmentCost } = listing;
  return {
    marketplace,
    sku,
    fulfillmentType,
    fulfillmentFee: fulfillmentCost,
    orderRef: sale.orderRef,
    lineRef: sale.externalId,
    at: sale.saleDate,
    quantity: sale.quantitySold,
    revenue: sale.totalRevenue,
    shipping: sale.shippingRevenue,
  };
}

async function reportOnAll(
  tx: Db,
  listings: readonly ListingInHistory[],
  random: SeededRandom,
  now: Instant,
): Promise<void> {
  const reports = listings.flatMap(
    ({ id, isStory, competitors }) =>
      reportOn(random, { id, isStory, hasCompetitors: competitors.length > 0 }, now) ?? [],
  );
  await seedAnalytics(
    tx,
    reports.map(({ analytics }) => analytics),
  );
  await seedListingDays(
    tx,
    reports.flatMap(({ days }) => days),
  );
}

/** New offers everywhere, then one run over all listings. @returns the offers */
async function marketDay(
  tx: Db,
  listings: readonly ListingInHistory[],
  random: SeededRandom,
  at: Instant,
): Promise<OfferInsert[]> {
  const offers = listings.flatMap((listing) => [
    ...offersAt(random, listing, listing.competitors, at),
    ...(listing.sku === WAR_SKU ? [warOffer(listing, at)] : []),
  ]);
  await reseedOffers(tx, offers);
  await runOver(tx, listings, at);
  return offers;
}

/** Two sellers undercut each other by a few cents all morning, until our repricing pauses. */
async function wagePriceWar(
  tx: Db,
  listings: readonly ListingInHistory[],
  random: SeededRandom,
  now: Instant,
): Promise<void> {
  const fighter = listings.filter(({ sku }) => sku === WAR_SKU);
  for (let round = WAR_ROUNDS; round > 0; round--) {
    const at = (now - hours(round / 4) - 60_000 * random.whole(0, 5)) as Instant;
    await reseedOffers(
      tx,
      fighter.map((listing) => warOffer(listing, at)),
    );
    await runOver(tx, fighter, at);
  }
}

function warOffer(
  { id, currentPrice }: ListingInHistory,
  at: Instant,
): Parameters<typeof reseedOffers>[1][number] {
  return {
    listingId: id,
    sellerName: PRICE_WAR_COMPETITOR.name,
    sellerKey: PRICE_WAR_COMPETITOR.key,
    seenAt: at,
    price: cents(currentPrice - PRICE_WAR_COMPETITOR.below),
    fulfillmentType: 'FBM',
    rating: null,
  };
}

async function runOver(tx: Db, listings: readonly ListingInHistory[], at: Instant): Promise<void> {
  const runId = await openRun(tx, at);
  const byId = new Map(listings.map((listing) => [listing.id, listing]));
  const decided = await decideListings(tx, await loadPricingContext(tx, at), [...byId.keys()]);
  await recordDecisions(tx, runId, decided, at);
  await closeRun(
    tx,
    runId,
    decided.map(({ decision }) => decision.kind),
    at,
  );
  await clearUploadMarks(tx);
  for (const { pricingInput, decision } of decided) {
    const listing = byId.get(pricingInput.listing.id);
    if (listing === undefined) continue;
    if (decision.kind !== 'change') continue;
    listing.currentPrice = decision.price;
    listing.prices.push({ at, price: decision.price });
  }
}
