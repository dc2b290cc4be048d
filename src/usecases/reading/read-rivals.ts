import type { OfferReading } from '#connectors/connector.ts';
import { countForOffers, listForOffers, markOffersRead } from '#db/queries/marketplace-listings.ts';
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
  /** Listings that are left for the next time, where a budget ended the reading. */
  readonly waiting: number;
}

/**
 * Reads the rivals' offers of the listings whose last reading is older than that, those first that waited longest. What a
 * budget ends is gone on with the next time; what was read until then stays.
 * @param onProgress hears how far it came, for when it does not come to its end
 * @throws ConnectorError
 */
export async function readRivals(
  deps: ReadingDeps,
  { connection: { marketplace, connector, account }, signal }: ReadingOf,
  readBefore: Instant,
  onProgress: (counts: RivalCounts) => void,
): Promise<RivalCounts> {
  let counts = { read: 0, unread: 0 };
  if (connector.readOffers === undefined) return { ...counts, waiting: 0 };
  const wanted = await countForOffers(deps.db, marketplace, readBefore);
  const tell = (): void =>
    onProgress({ ...counts, waiting: Math.max(0, wanted - counts.read - counts.unread) });
  tell();
  for (;;) {
    const refs = await listForOffers(deps.db, marketplace, readBefore, BATCH);
    if (refs.length === 0) return { ...counts, waiting: 0 };
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
      tell();
    }
    // Whatever it did not answer at all would come first again, for ever.
    await markOffersRead(deps.db, [...left], deps.now());
    counts = { ...counts, unread: counts.unread + left.size };
  }
}
