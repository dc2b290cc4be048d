import type { MarketOffer, OfferReading } from '#connectors/connector.ts';
import type { Db } from '#db/client.ts';
import { replaceOffers } from '#db/queries/catalog/import-offers.ts';
import type { TextRow } from '#db/queries/catalog/import-rows.ts';
import { type BuyBoxLook, countBuyBoxLooks } from '#db/queries/marketplaces/marketplace-figures.ts';
import { lockOffers, offerTimes, writeOfferTimes } from '#db/queries/marketplaces/marketplace-listings.ts';
import { ownSellerKeys } from '#db/queries/marketplaces/offer-aggregates.ts';
import type { RecordedOffer } from '#db/schema/offers.ts';
import { decimalFromBps, decimalFromCents } from '#domain/decimal.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import { type SellerKey, sellerKey } from '#domain/offer.ts';
import type { Instant } from '#domain/units.ts';

/** Milliseconds that a marketplace's clock may be ahead of ours. What is kept from later than that keeps nothing out. */
const AHEAD = 300_000;

/**
 * Replaces the offers of listings by what the marketplace says now, unless it is older than what is kept: a message may
 * be slower than an answer, and the other way round. The trigger on offers marks the listings for the engine.
 * @param readings one for each listing at most
 * @returns those that were taken
 */
export async function ingestOffers(
  tx: Db,
  readings: readonly OfferReading[],
  at: Instant,
): Promise<readonly OfferReading[]> {
  if (readings.length === 0) return [];
  const ids = readings.map(({ listingId }) => listingId);
  await lockOffers(tx, ids);
  // Asked apart from the lock: whoever waited for it must see what was written meanwhile.
  const kept = await offerTimes(tx, ids);
  const fresh = readings.filter(({ listingId, seenAt }) => {
    const before = kept.get(listingId);
    return before === undefined || seenAt >= before || before > at + AHEAD;
  });
  const sets = new Map(
    fresh.map((reading) => [String(reading.listingId), reading.offers.map(recordedAt(reading))]),
  );
  const rows = fresh.flatMap((reading) => reading.offers.map((offer) => rowOf(offer, reading)));
  await replaceOffers(tx, sets, rows, at);
  await writeOfferTimes(tx, fresh);
  return fresh;
}

/** Takes what was asked for: who holds the buy box counts as one look. */
export async function ingestSyncedOffers(
  tx: Db,
  marketplace: Marketplace,
  readings: readonly OfferReading[],
  at: Instant,
): Promise<void> {
  if (readings.length === 0) return;
  await ingestOffers(tx, readings, at);
  const own = (await ownSellerKeys(tx))(marketplace);
  await countBuyBoxLooks(
    tx,
    readings.flatMap((reading) => lookOf(reading, own)),
    at,
  );
}

/** Who holds the buy box, where the marketplace says that somebody does and who it is. */
function lookOf({ listingId, offers }: OfferReading, own: ReadonlySet<SellerKey>): BuyBoxLook[] {
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
