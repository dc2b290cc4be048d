import type { Db } from '#db/client.ts';
import { listShownListings, type ShownListing } from '#db/queries/demo/seed.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import { type Bps, bps, type Cents, cents } from '#domain/units.ts';
import { demoBundles, demoListings, demoSkus } from './demo-catalog.ts';
import { competitorsOf, type DemoCompetitor } from './demo-market.ts';
import { PRICE_WAR_COMPETITOR, WAR_SKU } from './make-history.ts';
import { DEMO_SEED } from './seed-demo.ts';
import { seededRandom } from './seeded-random.ts';

/** Behaviors of competitors in the simulated marketplaces. */
const HABITS = ['undercutter', 'follower', 'stubborn', 'sleeper', 'comes_and_goes'] as const;

/** A competitor that continues from its average price. */
interface LiveCompetitor {
  readonly name: string;
  readonly habit: (typeof HABITS)[number] | 'marketplace';
  readonly price: Cents;
  readonly shippingCharge: Cents;
  readonly isWarehouse: boolean;
  readonly rating: Bps;
}

/** A listing of the sample store with its competitors, for its simulated marketplace. */
export interface LiveListing extends ShownListing {
  readonly competitors: readonly LiveCompetitor[];
}

/** The marketplace would report the fulfillment fee, and the sample of a listing without one would be lost. */
const NOT_THERE = 'NO-FEE';

/**
 * What the simulated marketplaces need to continue where the history of the sample store ends: its listings with their
 * current prices, and the competitors of the past ninety days.
 */
export async function liveMarket(db: Db): Promise<LiveListing[]> {
  const competitors = competitorsByListing();
  const shown = await listShownListings(db);
  return shown
    .filter(({ sku }) => sku !== NOT_THERE)
    .map((listing) => ({
      ...listing,
      competitors:
        listing.sku === WAR_SKU ? [priceWarCompetitor(listing)] : (competitors.get(nameOf(listing)) ?? []),
    }));
}

/** The same seed as that of the history gives the same competitors. */
function competitorsByListing(): ReadonlyMap<string, readonly LiveCompetitor[]> {
  const random = seededRandom(DEMO_SEED);
  const articles = demoSkus(random);
  const listings = demoListings(random, articles, demoBundles(random, articles));
  const ofHistory = seededRandom(DEMO_SEED + 1);
  const ofHabits = seededRandom(DEMO_SEED + 2);
  const habitOf = ({ isMarketplace }: DemoCompetitor) =>
    isMarketplace ? 'marketplace' : ofHabits.pick(HABITS);
  return new Map(
    listings.map((listing) => [
      nameOf(listing),
      competitorsOf(ofHistory, listing).map((competitor) => ({
        name: competitor.name,
        habit: habitOf(competitor),
        isWarehouse: competitor.isWarehouse,
        price: cents(Math.max(100, Math.round(listing.marketPrice * competitor.level))),
        shippingCharge: cents(competitor.isWarehouse || ofHabits.happens(0.7) ? 0 : 399),
        rating: bps(competitor.rating * 100),
      })),
    ]),
  );
}

function priceWarCompetitor({ currentPrice }: ShownListing): LiveCompetitor {
  return {
    name: PRICE_WAR_COMPETITOR.name,
    habit: 'undercutter',
    price: cents(currentPrice - PRICE_WAR_COMPETITOR.below),
    // With a price this little lower it wins the buy box, which is all that Walmart shows, only with fast delivery.
    isWarehouse: true,
    shippingCharge: cents(0),
    rating: bps(9_800),
  };
}

function nameOf({ marketplace, sku }: { readonly marketplace: Marketplace; readonly sku: string }): string {
  return `${marketplace} ${sku}`;
}
