import type { Db } from '#db/client.ts';
import { notify } from '#db/listen.ts';
import { type AuditEntry, insertAudits } from '#db/queries/identity/audit.ts';
import { countPresence, markFound, markMissing } from '#db/queries/marketplaces/missing-listings.ts';
import { transact } from '#db/transact.ts';
import { MARKETPLACE_NAMES, type Marketplace } from '#domain/marketplaces.ts';
import type { Instant } from '#domain/units.ts';
import { actedBy } from '#usecases/editor.ts';
import { ENGINE } from '#usecases/repricing/engine/engine-deps.ts';
import type { ReadingDeps } from './sync-deps.ts';

/** A reading without more than this many listings, and more than this share of those known, is taken for a broken one. */
const MANY = 10;
const LARGE_SHARE = 0.2;
/** Rows of the audit log in one statement. */
const AT_ONCE = 500;

/** What a whole catalogue says by what is not in it. */
export interface MissingCounts {
  /** Listings that are gone from here on: neither priced nor sent until they are seen again. */
  readonly gone: number;
  /** Listings of ours that no reading ever named. */
  readonly neverFound: number;
  /** Listings that are missing in a reading that is not believed; they stay as they are. */
  readonly missing: number;
  /** One sentence for people; null where the reading is believed. */
  readonly problem: string | null;
}

/**
 * Compares a catalogue that was read to its end with the listings that were known before. One that two readings in a row
 * do not hold is gone. A reading in which a large part is missing, or that holds nothing at all, changes nothing: a broken
 * answer must not stop pricing.
 * @param startedAt names the reading
 * @param read how many entries it held
 */
export async function detectMissingListings(
  { db, now }: ReadingDeps,
  marketplace: Marketplace,
  startedAt: Instant,
  read: number,
): Promise<MissingCounts> {
  return transact(db, async (tx) => {
    const { known, missing, neverFound } = await countPresence(tx, marketplace, startedAt);
    const isMany = missing > MANY && missing > known * LARGE_SHARE;
    if (isMany || (read === 0 && missing > 0)) {
      const problem = `${MARKETPLACE_NAMES[marketplace]}'s catalog did not include ${figure(missing)} of ${figure(known)} known listings. They are kept and still repriced. Delete the listings you no longer sell.`;
      return { gone: 0, neverFound, missing, problem };
    }
    const gone = await markMissing(tx, marketplace, startedAt);
    await record(
      tx,
      gone.map(({ id, missingSince }) => ({
        ...auditOf('listing.gone', id, now()),
        after: { missingSince: new Date(missingSince).toISOString() },
      })),
    );
    if (gone.length > 0) await notify(tx, 'pricewright_listings', []);
    return { gone: gone.length, neverFound, missing: 0, problem: null };
  });
}

/** Listings that were gone are seen again, and are priced from here on; in the caller's transaction. */
export async function markListingsFound(tx: Db, ids: readonly number[], now: Instant): Promise<void> {
  await markFound(tx, ids);
  await record(
    tx,
    ids.map((id) => auditOf('listing.found_again', id, now)),
  );
}

function auditOf(action: 'listing.gone' | 'listing.found_again', id: number, now: Instant): AuditEntry {
  return { ...actedBy(ENGINE, now), action, targetKind: 'listing', targetId: String(id) };
}

async function record(tx: Db, entries: readonly AuditEntry[]): Promise<void> {
  for (let from = 0; from < entries.length; from += AT_ONCE) {
    await insertAudits(tx, entries.slice(from, from + AT_ONCE));
  }
}

function figure(count: number): string {
  return count.toLocaleString('en-US');
}
