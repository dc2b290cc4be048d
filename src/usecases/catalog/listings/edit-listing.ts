import type { ListingFields } from '#contract/listings.ts';
import { transact } from '#db/transact.ts';
import { AppError } from '#usecases/app-error.ts';
import type { Editor } from '#usecases/editor.ts';
import { lastChangeText } from '#usecases/last-change.ts';
import { editListings } from './edit-listings.ts';
import { lockListing } from './find-listing.ts';
import type { ListingDeps } from './listing-deps.ts';

/**
 * Saves a user's changes of one listing: a bulk edit of one, bound to the version that the user saw.
 * @throws AppError not_found; conflict when it was changed in between; validation_failed with the field
 */
export async function editListing(
  { db, now }: ListingDeps,
  listingId: number,
  { version, fields }: { readonly version: number; readonly fields: ListingFields },
  editor: Editor,
): Promise<void> {
  const at = now();
  await transact(db, async (tx) => {
    const listing = await lockListing(tx, listingId);
    if (listing.version !== version) {
      const change = await lastChangeText(tx, { ...listing, kind: 'listing' }, at);
      throw new AppError(
        'conflict',
        `${listing.sku} was changed after you opened it${change}. Review the new values, then save.`,
      );
    }
    const { refused } = await editListings(tx, [listingId], fields, editor, at);
    const [refusal] = refused;
    if (refusal === undefined) return;
    const field = fields.maxPrice == null ? 'minPrice' : 'maxPrice';
    throw new AppError('validation_failed', refusal.message, {
      fields: { [`fields.${field}`]: refusal.message },
    });
  });
}
