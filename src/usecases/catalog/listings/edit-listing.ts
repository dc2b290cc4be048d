import type { ListingFields } from '#contract/listings.ts';
import { notify } from '#db/listen.ts';
import { updateListings } from '#db/queries/catalog/listing-acts.ts';
import { insertAudit } from '#db/queries/identity/audit.ts';
import { transact } from '#db/transact.ts';
import { AppError } from '#usecases/app-error.ts';
import { type Editor, madeBy } from '#usecases/editor.ts';
import { lockListing } from '#usecases/repricing/prices/priced-listing.ts';
import type { ActDeps } from './bulk-action-deps.ts';
import { changeOf, checkFields, fieldsBefore, formOf, problemWith } from './listing-fields.ts';

/**
 * Saves what a person changed on one listing.
 * @throws AppError not_found; conflict when somebody else saved since; validation_failed
 */
export async function editListing(
  { db, now }: ActDeps,
  listingId: number,
  { version, fields }: { readonly version: number; readonly fields: ListingFields },
  editor: Editor,
): Promise<void> {
  const at = now();
  await transact(db, async (tx) => {
    const listing = await lockListing(tx, listingId);
    if (listing.version !== version) {
      throw new AppError(
        'conflict',
        `Somebody else changed ${listing.sku} since you looked. Look at it again, then save.`,
      );
    }
    await checkFields(tx, fields);
    const problem = problemWith(listing, fields);
    if (problem !== null) {
      const field = fields.maxPrice == null ? 'minPrice' : 'maxPrice';
      throw new AppError('validation_failed', problem, { fields: { [`fields.${field}`]: problem } });
    }
    await updateListings(tx, [listingId], changeOf(fields), at);
    await insertAudit(tx, {
      ...madeBy(editor, at),
      action: 'listing.edited',
      targetKind: 'listing',
      targetId: String(listingId),
      before: fieldsBefore(listing, fields),
      after: formOf(fields),
    });
    await notify(tx, 'pricewright_listings', [listingId]);
  });
}
