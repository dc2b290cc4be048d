import type { OfferReading } from '#connectors/connector.ts';
import { listForOffers, markOffersRead } from '#db/queries/marketplace-listings.ts';
import { transact } from '#db/transact.ts';
import type { Instant } from '#domain/units.ts';
import type { ReadingDeps, ReadingOf } from './reading-deps.ts';
import { takeReadOffers } from './take-offers.ts';

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
      await transact(deps.db, (tx) => takeReadOffers(tx, marketplace, readings, deps.now()));
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
