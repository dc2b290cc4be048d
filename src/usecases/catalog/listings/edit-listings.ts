import type { ListingFields } from '#contract/listings.ts';
import type { Db } from '#db/client.ts';
import type { ListingRecord } from '#db/queries/catalog/listing-writes.ts';
import type { Instant } from '#domain/units.ts';
import type { Editor } from '#usecases/editor.ts';
import { applyToLocked } from './apply-to-locked.ts';
import type { BulkActionResult, Refusal } from './listing-deps.ts';
import { checkFields, fieldsBefore, formOf, problemWith, withMapDays } from './listing-fields.ts';
import { writeFields } from './write-fields.ts';

/**
 * Sets the same fields on some listings, in the caller's transaction. One that does not allow them is skipped and
 * reported.
 * @throws AppError validation_failed when no listing allows them
 */
export async function editListings(
  tx: Db,
  ids: readonly number[],
  edited: ListingFields,
  editor: Editor,
  now: Instant,
): Promise<BulkActionResult> {
  const fields = withMapDays(edited);
  await checkFields(tx, fields, now);
  const refusalOf = (listing: ListingRecord): Refusal | null => {
    const message = problemWith(listing, fields);
    return message === null ? null : { listingId: listing.id, sku: listing.sku, message };
  };
  return applyToLocked(tx, ids, editor, now, {
    action: 'listing.edited',
    refusalOf,
    write: (taken) => writeFields(tx, taken, fields, editor.name, now),
    before: (listing) => fieldsBefore(listing, fields),
    after: formOf(fields),
  });
}
