import type { MarketOffer, OfferReading, UnavailableListing } from '#connectors/connector.ts';
import type { Db } from '#db/client.ts';
import type { TextRow } from '#db/queries/catalog/import-rows.ts';
import { hiddenSellers } from '#db/queries/marketplaces/connections/ebay-sellers.ts';
import { ownSellerKeys } from '#db/queries/marketplaces/offers/offer-aggregates.ts';
import {
  confirmBoxes,
  lockOffers,
  namedBoxes,
  offerTimes,
  pricesInForce,
  replaceOffers,
  writeReadings,
  writeUnread,
} from '#db/queries/marketplaces/offers/offers.ts';
import {
  type BuyBoxObservation,
  countBuyBoxObservations,
} from '#db/queries/marketplaces/sync/marketplace-figures.ts';
import type { RecordedOffer } from '#db/schema/offers.ts';
import { type SellerKey, sellerKey } from '#domain/competition/offer.ts';
import { decimalFromBps, decimalFromCents } from '#domain/decimal.ts';
import { MARKETPLACE_NAMES, type Marketplace } from '#domain/marketplaces.ts';
import { moneyText } from '#domain/text.ts';
import type { Cents, Instant } from '#domain/units.ts';

/** Milliseconds that a marketplace's clock may be ahead of ours. Stored offers later than that do not block newer ones. */
const MAX_CLOCK_SKEW = 300_000;

/**
 * Replaces the offers of listings and records the readings, unless the stored ones are newer: notifications and responses
 * can overtake each other. Triggers mark the listings as due.
 * @param readings at most one for each listing
 */
export async function ingestOffers(
  tx: Db,
  marketplace: Marketplace,
  readings: readonly OfferReading[],
  source: 'sync' | 'event',
  at: Instant,
): Promise<void> {
  if (readings.length === 0) return;
  const ids = readings.map(({ listingId }) => listingId);
  await lockOffers(tx, ids);
  // A statement of its own after the lock: it has to see what was written while we waited for the lock.
  const kept = await offerTimes(tx, ids);
  const newer = readings.filter(({ listingId, seenAt }) => {
    const before = kept.get(listingId);
    return before === undefined || seenAt >= before || before > at + MAX_CLOCK_SKEW;
  });
  const current = await withoutOtherTimes(tx, marketplace, newer, at);
  const fresh = await withoutNames(tx, marketplace, await withoutKnownBoxes(tx, current, at));
  const sets = new Map(
    fresh.map((reading) => [String(reading.listingId), reading.offers.map(recordedAt(reading))]),
  );
  const rows = fresh.flatMap((reading) => reading.offers.map((offer) => rowOf(offer, reading)));
  await replaceOffers(tx, sets, rows, at);
  await writeReadings(
    tx,
    fresh.map(({ listingId, seenAt, coverage, isBoxSuppressed = false }) => ({
      listingId,
      readAt: seenAt,
      coverage,
      source,
      isBoxSuppressed,
    })),
  );
}

/** Leaves out readings that show another price of ours than the current one: their offers are of another time, too. */
async function withoutOtherTimes(
  tx: Db,
  marketplace: Marketplace,
  readings: readonly OfferReading[],
  at: Instant,
): Promise<readonly OfferReading[]> {
  const reported = readings.flatMap(({ listingId, ourPrice }) => (ourPrice === undefined ? [] : [listingId]));
  if (reported.length === 0) return readings;
  const prices = await pricesInForce(tx, reported);
  const contradicts = ({ listingId, ourPrice }: OfferReading): boolean =>
    ourPrice !== undefined && ourPrice !== prices.get(listingId);
  const why = (ours: Cents | undefined, inForce: Cents | undefined): string =>
    `${MARKETPLACE_NAMES[marketplace]} shows ${priceText(ours)} as your price next to the buy box, and your price is ${priceText(inForce)}.`;
  const unread = readings
    .filter(contradicts)
    .map(({ listingId, ourPrice }) => ({ listingId, why: why(ourPrice, prices.get(listingId)) }));
  await writeUnread(tx, unread, at);
  return readings.filter((reading) => !contradicts(reading));
}

function priceText(price: Cents | undefined): string {
  return price === undefined ? 'no price' : moneyText(price);
}

/**
 * Leaves out buy boxes without a seller that are still as an event reported them, with their sellers: then only the time of
 * the box is new. One that has changed replaces what the event reported.
 */
async function withoutKnownBoxes(
  tx: Db,
  readings: readonly OfferReading[],
  at: Instant,
): Promise<readonly OfferReading[]> {
  const boxes = readings.filter(({ coverage }) => coverage === 'box');
  if (boxes.length === 0) return readings;
  const ids = boxes.map(({ listingId }) => listingId);
  const named = new Map((await namedBoxes(tx, ids, at)).map((box) => [box.listingId, box]));
  const isKnown = ({ listingId, offers, coverage }: OfferReading): boolean => {
    const reported = named.get(listingId);
    const box = offers.find(({ isFeatured }) => isFeatured);
    if (coverage !== 'box' || reported === undefined || box === undefined) return false;
    return reported.landed === box.price + box.shipping && reported.isOurs === box.isOurs;
  };
  await confirmBoxes(tx, readings.filter(isKnown));
  return readings.filter((reading) => !isKnown(reading));
}

/** Stores the responses to requests for offers, and counts one buy box observation per listing. */
export async function ingestSyncedOffers(
  tx: Db,
  marketplace: Marketplace,
  responses: readonly (OfferReading | UnavailableListing)[],
  at: Instant,
): Promise<void> {
  const readings = responses.filter((response) => response.kind === 'offers');
  await writeUnread(
    tx,
    responses.filter((response) => response.kind === 'unread'),
    at,
  );
  if (readings.length === 0) return;
  await ingestOffers(tx, marketplace, readings, 'sync', at);
  const own = (await ownSellerKeys(tx))(marketplace);
  await countBuyBoxObservations(
    tx,
    readings.flatMap((reading) => buyBoxOf(reading, own)),
    at,
  );
}

/** Who holds the buy box; empty where no offer is featured or its seller is unknown. */
function buyBoxOf({ listingId, offers }: OfferReading, own: ReadonlySet<SellerKey>): BuyBoxObservation[] {
  const featured = offers.find(({ isFeatured }) => isFeatured);
  if (featured === undefined) return [];
  const seller = sellerKey(featured.sellerName);
  if (seller === null && !featured.isOurs) return [];
  return [{ listingId, isOurs: featured.isOurs || (seller !== null && own.has(seller)) }];
}

/** An offer as it is stored. */
interface StoredOffer extends MarketOffer {
  /** In place of the name of another seller on eBay; absent for every other. */
  readonly sellerHash?: string;
}

type StoredReading = OfferReading & { readonly offers: readonly StoredOffer[] };

/** Replaces the names of other sellers on eBay, which are never stored. */
async function withoutNames(
  tx: Db,
  marketplace: Marketplace,
  readings: readonly OfferReading[],
): Promise<readonly StoredReading[]> {
  if (marketplace !== 'ebay') return readings;
  const keys = readings.flatMap(({ offers }) =>
    offers.flatMap(({ sellerName }) => sellerKey(sellerName) ?? []),
  );
  const hidden = await hiddenSellers(tx, [...new Set(keys)]);
  const withoutName = (offer: MarketOffer): StoredOffer => {
    const key = offer.isOurs ? null : sellerKey(offer.sellerName);
    const seller = key === null ? undefined : hidden.get(key);
    return seller === undefined ? offer : { ...offer, sellerName: seller.label, sellerHash: seller.hash };
  };
  return readings.map((reading) => ({ ...reading, offers: reading.offers.map(withoutName) }));
}

function rowOf(offer: StoredOffer, { listingId, seenAt }: OfferReading): TextRow {
  const { sellerName, isMarketplace, isOurs, price, shipping, isFeatured, rating } = offer;
  const count = (value: number | null): string | null => (value === null ? null : String(value));
  return {
    listingId: String(listingId),
    seller: sellerName,
    sellerKey: sellerKey(sellerName),
    sellerHash: offer.sellerHash ?? null,
    isMarketplace: String(isMarketplace),
    isOurs: String(isOurs),
    isFeatured: String(isFeatured),
    price: decimalFromCents(price),
    shipping: decimalFromCents(shipping),
    fulfillmentType: offer.fulfillmentType,
    seenAt: new Date(seenAt).toISOString(),
    rating: rating === null ? null : decimalFromBps(rating),
    ratingCount: count(offer.ratingCount),
    handlingDays: count(offer.handlingDays),
  };
}

function recordedAt({ seenAt }: OfferReading): (offer: MarketOffer) => RecordedOffer {
  return ({ sellerName, price, shipping, fulfillmentType, isMarketplace, isFeatured, isOurs, rating }) => ({
    seller: sellerName,
    price,
    shipping,
    at: seenAt,
    ...(fulfillmentType === null ? {} : { by: fulfillmentType }),
    ...(isMarketplace ? { marketplace: true as const } : {}),
    ...(isFeatured ? { featured: true as const } : {}),
    ...(isOurs ? { ours: true as const } : {}),
    ...(rating === null ? {} : { rating }),
  });
}
