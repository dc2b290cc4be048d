import { ConnectorError } from '#connectors/connector-error.ts';
import type { Db } from '#db/client.ts';
import { notify } from '#db/listen.ts';
import { type AuditEntry, insertAudits } from '#db/queries/identity/audit.ts';
import {
  countPresence,
  listUnseen,
  type MissingListing,
  markFound,
  markMissing,
  markMissingAlone,
  markSeenAlone,
} from '#db/queries/marketplaces/sync/missing-listings.ts';
import { transact } from '#db/transact.ts';
import { MARKETPLACE_NAMES, type Marketplace } from '#domain/marketplaces.ts';
import type { Instant } from '#domain/units.ts';
import { actedBy } from '#usecases/editor.ts';
import { ENGINE } from '#usecases/repricing/engine/engine-deps.ts';
import type { SyncDeps, SyncSource } from './sync-deps.ts';

/** A catalog that lacks more listings than this, and more than this share of the known ones, is considered incomplete. */
const MAX_MISSING = 10;
const MAX_MISSING_SHARE = 0.2;
/** Listings that are requested alone after one catalog; the others after the next. */
const MAX_ASKED_ALONE = 20;
/** Rows of the audit log in one statement. */
const AUDIT_BATCH_SIZE = 500;

/** Known listings that a complete catalog did not contain. */
export interface MissingCounts {
  /** Listings now marked as missing: not repriced and not sent until they are found again. */
  readonly gone: number;
  /** Known listings that were in no catalog so far. */
  readonly neverFound: number;
  /** Listings missing in a catalog that is considered incomplete; they stay as they are. */
  readonly missing: number;
  /** One sentence for the user; null where the catalog is considered complete. */
  readonly problem: string | null;
}

/**
 * Compares a completely read catalog with the listings known before. A listing that is absent from two syncs in a row is
 * marked as missing. A catalog that lacks a large share of the listings, or is empty, changes nothing: an incomplete
 * response must not stop repricing.
 * @param startedAt identifies the sync
 * @param read number of entries in the catalog
 */
export async function detectMissingListings(
  { db, now }: SyncDeps,
  marketplace: Marketplace,
  startedAt: Instant,
  read: number,
): Promise<MissingCounts> {
  return transact(db, async (tx) => {
    const { known, missing, neverFound } = await countPresence(tx, marketplace, startedAt);
    const isMany = missing > MAX_MISSING && missing > known * MAX_MISSING_SHARE;
    if (isMany || (read === 0 && missing > 0)) {
      const problem = `${MARKETPLACE_NAMES[marketplace]}'s catalog did not include ${figure(missing)} of ${figure(known)} known listings. They are kept and still repriced. Delete the listings you no longer sell.`;
      return { ...countsOf(0, neverFound), missing, problem };
    }
    const marked = await markMissing(tx, marketplace, startedAt);
    await record(
      tx,
      marked.map((listing) => missingEntry(listing, now())),
    );
    if (marked.length > 0) await notify(tx, 'pricewright_listings', []);
    return countsOf(marked.length, neverFound);
  });
}

/**
 * Compares a catalog that does not prove what it lacks: it came twice without all that its total counts, or has rows
 * that may be any listing. A listing that it lacks is requested alone, and counts as missing only when the marketplace
 * says that it does not exist.
 * @param startedAt identifies the sync
 * @throws ConnectorError
 */
export async function confirmMissingListings(
  { db, now }: SyncDeps,
  { connection: { marketplace, connector, account }, signal }: SyncSource,
  startedAt: Instant,
): Promise<MissingCounts> {
  const { neverFound } = await countPresence(db, marketplace, startedAt);
  // Findings are the sender's, which holds its lease: what is read here concludes none.
  const { findings: _theirs, ...unkept } = account;
  const unseen = (await listUnseen(db, marketplace, startedAt)).slice(0, MAX_ASKED_ALONE);
  const readings =
    unseen.length === 0
      ? []
      : await connector.readPrices(
          unkept,
          unseen.map(({ price, ...ref }) => ({
            ref,
            price,
            receipt: null,
            sentAt: now(),
            isLastLook: false,
          })),
          signal,
        );
  // Listings that an interrupted call did not reach are not known to be there or not.
  if (signal.aborted) throw new ConnectorError('time', 'The sync was interrupted.');
  const removed = readings.filter(({ kind }) => kind === 'missing').map(({ listingId }) => listingId);
  const shown = readings.filter(({ kind }) => kind === 'price').map(({ listingId }) => listingId);
  await transact(db, async (tx) => {
    const marked = await markMissingAlone(tx, removed, startedAt);
    await markSeenAlone(tx, shown, startedAt);
    await record(
      tx,
      marked.map((listing) => missingEntry(listing, now())),
    );
    if (marked.length > 0) await notify(tx, 'pricewright_listings', []);
  });
  return countsOf(removed.length, neverFound);
}

/** Marks missing listings as found; they are repriced again. In the caller's transaction. */
export async function markListingsFound(tx: Db, ids: readonly number[], now: Instant): Promise<void> {
  await markFound(tx, ids);
  await record(
    tx,
    ids.map((id) => auditOf('listing.found_again', id, now)),
  );
}

/** Of a catalog that is considered complete. */
function countsOf(marked: number, neverFound: number): MissingCounts {
  return { gone: marked, neverFound, missing: 0, problem: null };
}

function missingEntry({ id, missingSince }: MissingListing, now: Instant): AuditEntry {
  const after = { missingSince: new Date(missingSince).toISOString() };
  return { ...auditOf('listing.gone', id, now), after };
}

function auditOf(action: 'listing.gone' | 'listing.found_again', id: number, now: Instant): AuditEntry {
  return { ...actedBy(ENGINE, now), action, targetKind: 'listing', targetId: String(id) };
}

async function record(tx: Db, entries: readonly AuditEntry[]): Promise<void> {
  for (let from = 0; from < entries.length; from += AUDIT_BATCH_SIZE) {
    await insertAudits(tx, entries.slice(from, from + AUDIT_BATCH_SIZE));
  }
}

function figure(count: number): string {
  return count.toLocaleString('en-US');
}
