import type { MarketOffer, OfferReading } from '#connectors/connector.ts';
import { notify } from '#db/listen.ts';
import { replaceOffers } from '#db/queries/import-offers.ts';
import type { TextRow } from '#db/queries/import-rows.ts';
import { type BuyBoxLook, countBuyBoxLooks } from '#db/queries/marketplace-figures.ts';
import { ownSellerKeys } from '#db/queries/offer-aggregates.ts';
import type { RecordedOffer } from '#db/schema/offers.ts';
import { transact } from '#db/transact.ts';
import { decimalFromBps, decimalFromCents } from '#domain/decimal.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import { type SellerKey, sellerKey } from '#domain/offer.ts';
import type { Instant } from '#domain/units.ts';
import { readInTurns, type TurnCounts } from './read-in-turns.ts';
import type { ReadingDeps, ReadingOf } from './reading-deps.ts';

export interface RivalCounts {
  /** Listings whose offers were replaced. */
  readonly read: number;
  readonly unread: number;
  readonly waiting: number;
}

/**
 * Reads the rivals' offers of the listings whose last reading is older than that.
 * @param onProgress hears how far it came
 * @throws ConnectorError
 */
export async function readRivals(
  deps: ReadingDeps,
  { connection: { marketplace, connector, account }, signal }: ReadingOf,
  readBefore: Instant,
  onProgress: (counts: RivalCounts) => void,
): Promise<RivalCounts> {
  const { readOffers } = connector;
  if (readOffers === undefined) return { read: 0, unread: 0, waiting: 0 };
  const turns = { what: 'offers', marketplace, readBefore } as const;
  const counts = await readInTurns(deps, turns, {
    ask: (refs) => readOffers.call(connector, account, refs, signal),
    take: async (page) => {
      const readings = page.filter((each) => each.kind === 'offers');
      await takeOffers(deps, marketplace, readings);
      return readings.length;
    },
    onProgress: (soFar) => onProgress(countsOf(soFar)),
  });
  return countsOf(counts);
}

function countsOf({ taken, ...others }: TurnCounts): RivalCounts {
  return { read: taken, ...others };
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
    const own = (await ownSellerKeys(tx))(marketplace);
    await countBuyBoxLooks(
      tx,
      readings.flatMap((reading) => lookOf(reading, own)),
      at,
    );
    await notify(tx, 'pricewright_listings', []);
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
