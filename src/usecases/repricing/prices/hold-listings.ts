import type { Db } from '#db/client.ts';
import { clearUploadMarks, type ListingRecord, writeHolds } from '#db/queries/catalog/listing-writes.ts';
import { hours, type Instant, instant } from '#domain/units.ts';
import { applyToLocked } from '#usecases/catalog/listings/apply-to-locked.ts';
import type { BulkActionResult } from '#usecases/catalog/listings/listing-deps.ts';
import type { Editor } from '#usecases/editor.ts';

/**
 * Puts listings on hold, in the caller's transaction.
 * @param howLong in hours; null until a user resumes
 */
export async function holdListings(
  tx: Db,
  ids: readonly number[],
  { howLong, reason }: { readonly howLong: number | null; readonly reason: string },
  editor: Editor,
  now: Instant,
): Promise<BulkActionResult> {
  const until = howLong === null ? null : instant(now + hours(howLong));
  const hold = { until, by: editor.name, reason };
  return applyToLocked(tx, ids, editor, now, {
    action: 'listing.held',
    write: (taken) => writeHolds(tx, taken, hold, now),
    before: holdOf,
    after: { until: momentOf(until), by: hold.by, reason },
  });
}

/** Ends the holds of some listings, in the caller's transaction. */
export async function resumeListings(
  tx: Db,
  ids: readonly number[],
  editor: Editor,
  now: Instant,
): Promise<BulkActionResult> {
  return applyToLocked(tx, ids, editor, now, {
    action: 'listing.resumed',
    write: (taken) => writeHolds(tx, taken, null, now),
    before: holdOf,
    after: { until: null, by: null, reason: null },
  });
}

/** Records that a user uploaded the prices of these listings, in the caller's transaction. */
export async function markUploaded(
  tx: Db,
  ids: readonly number[],
  editor: Editor,
  now: Instant,
): Promise<BulkActionResult> {
  return applyToLocked(tx, ids, editor, now, {
    action: 'listing.uploaded',
    write: (taken) => clearUploadMarks(tx, taken, now),
    before: markOf,
    after: { awaitingUploadSince: null },
  });
}

/** The "to upload" mark for the audit log. */
export function markOf({ awaitingUploadSince }: ListingRecord): Readonly<Record<string, unknown>> {
  return { awaitingUploadSince: momentOf(awaitingUploadSince) };
}

/** A hold for the audit log; all null for none. */
export function holdOf({ heldUntil, heldBy, holdReason }: ListingRecord): Readonly<Record<string, unknown>> {
  return { until: momentOf(heldUntil), by: heldBy, reason: holdReason };
}

function momentOf(at: Instant | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}
