import type { Db } from '#db/client.ts';
import { notify } from '#db/listen.ts';
import { type ListingRecord, lockListings } from '#db/queries/catalog/listing-writes.ts';
import { insertAudits } from '#db/queries/identity/audit.ts';
import type { AuditAction } from '#domain/audit-actions.ts';
import type { Instant } from '#domain/units.ts';
import { type Editor, madeBy } from '#usecases/editor.ts';
import type { BulkActionResult, Refusal } from './listing-deps.ts';

/** An action that does the same to every listing. */
export interface UniformAction {
  readonly action: AuditAction;
  /** Why a listing is skipped; null when it is not. */
  readonly refusalOf?: (listing: ListingRecord) => Refusal | null;
  readonly write: (ids: readonly number[]) => Promise<void>;
  readonly before: (listing: ListingRecord) => Readonly<Record<string, unknown>>;
  readonly after: Readonly<Record<string, unknown>>;
}

/** Applies an action to listings under a lock, with an audit row for each. Deleted ones are reported. */
export async function applyToLocked(
  tx: Db,
  ids: readonly number[],
  editor: Editor,
  now: Instant,
  action: UniformAction,
): Promise<BulkActionResult> {
  const found = await lockListings(tx, ids);
  const refused: Refusal[] = missingOf(
    ids,
    found.map(({ id }) => id),
  );
  const taken: ListingRecord[] = [];
  for (const listing of found) {
    const refusal = action.refusalOf?.(listing) ?? null;
    if (refusal === null) taken.push(listing);
    else refused.push(refusal);
  }
  if (taken.length === 0) return { done: 0, refused };
  const takenIds = taken.map(({ id }) => id);
  await action.write(takenIds);
  await insertAudits(
    tx,
    taken.map((listing) => ({
      ...madeBy(editor, now),
      action: action.action,
      targetKind: 'listing',
      targetId: String(listing.id),
      before: action.before(listing),
      after: action.after,
    })),
  );
  await notify(tx, 'pricewright_listings', takenIds);
  return { done: taken.length, refused };
}

/** Listings that were selected by id and have been deleted. */
export function missingOf(chosen: readonly number[], found: readonly number[]): Refusal[] {
  const known = new Set(found);
  const deleted = [...new Set(chosen)].filter((id) => !known.has(id));
  return deleted.map((id) => ({ listingId: id, sku: `#${id}`, message: 'This listing was deleted.' }));
}
