import type { MarketOffer, OfferReading } from '#connectors/connector.ts';
import type { Db } from '#db/client.ts';
import type { TextRow } from '#db/queries/catalog/import-rows.ts';
import {
  type BuyBoxObservation,
  countBuyBoxObservations,
} from '#db/queries/marketplaces/marketplace-figures.ts';
import { ownSellerKeys } from '#db/queries/marketplaces/offer-aggregates.ts';
import { lockOffers, offerTimes, replaceOffers, writeOfferTimes } from '#db/queries/marketplaces/offers.ts';
import type { RecordedOffer } from '#db/schema/offers.ts';
import { decimalFromBps, decimalFromCents } from '#domain/decimal.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import { type SellerKey, sellerKey } from '#domain/offer.ts';
import type { Instant } from '#domain/units.ts';

/** Milliseconds that a marketplace's clock may be ahead of ours. Stored offers later than that do not block newer ones. */
const MAX_CLOCK_SKEW = 300_000;

/**
 * Replaces the offers of listings, unless the stored ones are newer: notifications and responses can overtake each other.
 * A trigger on the offers marks the listings as due.
 * @param readings at most one for each listing
 * @returns the readings that were stored
 */
export async function ingestOffers(
  tx: Db,
  readings: readonly OfferReading[],
  at: Instant,
): Promise<readonly OfferReading[]> {
  if (readings.length === 0) return [];
  const ids = readings.map(({ listingId }) => listingId);
  await lockOffers(tx, ids);
  // A statement of its own after the lock: it has to see what was written while we waited for the lock.
  const kept = await offerTimes(tx, ids);
  const fresh = readings.filter(({ listingId, seenAt }) => {
    const before = kept.get(listingId);
    return before === undefined || seenAt >= before || before > at + MAX_CLOCK_SKEW;
  });
  const sets = new Map(
    fresh.map((reading) => [String(reading.listingId), reading.offers.map(recordedAt(reading))]),
  );
  const rows = fresh.flatMap((reading) => reading.offers.map((offer) => rowOf(offer, reading)));
  await replaceOffers(tx, sets, rows, at);
  await writeOfferTimes(tx, fresh);
  return fresh;
}

/** Stores offers that were requested, and counts one buy box observation per listing. */
export async function ingestSyncedOffers(
  tx: Db,
  marketplace: Marketplace,
  readings: readonly OfferReading[],
  at: Instant,
): Promise<void> {
  if (readings.length === 0) return;
  await ingestOffers(tx, readings, at);
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

function rowOf(offer: MarketOffer, { listingId, seenAt }: OfferReading): TextRow {
  const { sellerName, isMarketplace, isOurs, price, shipping, isFeatured, rating } = offer;
  const count = (value: number | null): string | null => (value === null ? null : String(value));
  return {
    listingId: String(listingId),
    seller: sellerName,
    sellerKey: sellerKey(sellerName),
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
