import type { MarketOffer, OfferReading } from '#connectors/connector.ts';
import { replaceOffers } from '#db/queries/import-offers.ts';
import type { TextRow } from '#db/queries/import-rows.ts';
import { type BuyBoxLook, countBuyBoxLooks } from '#db/queries/marketplace-figures.ts';
import { listForOffers, markOffersRead } from '#db/queries/marketplace-listings.ts';
import { ownSellerKeys } from '#db/queries/offer-aggregates.ts';
import type { RecordedOffer } from '#db/schema/offers.ts';
import { transact } from '#db/transact.ts';
import { decimalFromBps, decimalFromCents } from '#domain/decimal.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import { type SellerKey, sellerKey } from '#domain/offer.ts';
import type { Instant } from '#domain/units.ts';
import type { ReadingDeps, ReadingOf } from './reading-deps.ts';

/** Listings that are asked for at once: several pages of any marketplace. */
const BATCH = 200;

export interface RivalCounts {
  /** Listings whose offers were replaced. */
  readonly read: number;
  readonly unread: number;
}

/**
 * Reads the rivals' offers of the listings whose last reading is older than that, those first that waited longest. What a
 * budget ends is gone on with the next time; what was read until then stays.
 * @throws ConnectorError
 */
export async function readRivals(
  deps: ReadingDeps,
  { connection: { marketplace, connector, account }, signal }: ReadingOf,
  readBefore: Instant,
  onBatch: (counts: RivalCounts) => void = () => undefined,
): Promise<RivalCounts> {
  let counts: RivalCounts = { read: 0, unread: 0 };
  if (connector.readOffers === undefined) return counts;
  for (;;) {
    const refs = await listForOffers(deps.db, marketplace, readBefore, BATCH);
    if (refs.length === 0) return counts;
    const left = new Set(refs.map(({ listingId }) => listingId));
    for await (const page of connector.readOffers(account, refs, signal)) {
      const readings = page.filter(
        (each): each is OfferReading => each.kind === 'offers' && left.has(each.listingId),
      );
      await takeOffers(deps, marketplace, readings);
      for (const { listingId } of page) left.delete(listingId);
      const unread = page.filter(({ kind }) => kind === 'unread');
      await markOffersRead(
        deps.db,
        unread.map(({ listingId }) => listingId),
        deps.now(),
      );
      counts = { read: counts.read + readings.length, unread: counts.unread + unread.length };
      onBatch(counts);
    }
    // Whatever it did not answer at all would come first again, for ever.
    await markOffersRead(deps.db, [...left], deps.now());
    counts = { ...counts, unread: counts.unread + left.size };
  }
}

async function takeOffers(
  { db, now }: ReadingDeps,
  marketplace: Marketplace,
  readings: readonly OfferReading[],
): Promise<void> {
  if (readings.length === 0) return;
  const sets = new Map(
    readings.map((reading) => [String(reading.listingId), reading.offers.map(recordedAt(reading))]),
  );
  const rows = readings.flatMap((reading) => reading.offers.map((offer) => rowOf(offer, reading)));
  const at = now();
  await transact(db, async (tx) => {
    await replaceOffers(tx, sets, rows, at);
    await markOffersRead(
      tx,
      readings.map(({ listingId }) => listingId),
      at,
    );
    const own = (await ownSellerKeys(tx))(marketplace);
    await countBuyBoxLooks(
      tx,
      readings.flatMap((reading) => lookOf(reading, own)),
      at,
    );
  });
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
    ...{ listingId: String(listingId), seller: sellerName, sellerKey: sellerKey(sellerName) },
    ...{ isMarketplace: String(isMarketplace), isOurs: String(isOurs), isFeatured: String(isFeatured) },
    ...{ price: decimalFromCents(price), shipping: decimalFromCents(shipping) },
    ...{ fulfillmentType: offer.fulfillmentType, seenAt: new Date(seenAt).toISOString() },
    rating: rating === null ? null : decimalFromBps(rating),
    ...{ ratingCount: count(offer.ratingCount), handlingDays: count(offer.handlingDays) },
  };
}

function recordedAt({ seenAt }: OfferReading): (offer: MarketOffer) => RecordedOffer {
  return ({ sellerName, price, shipping, fulfillmentType, isMarketplace, isFeatured, isOurs, rating }) => ({
    ...{ seller: sellerName, price, shipping, at: seenAt },
    ...(fulfillmentType === null ? {} : { by: fulfillmentType }),
    ...(isMarketplace ? { marketplace: true as const } : {}),
    ...(isFeatured ? { featured: true as const } : {}),
    ...(isOurs ? { ours: true as const } : {}),
    ...(rating === null ? {} : { rating }),
  });
}
