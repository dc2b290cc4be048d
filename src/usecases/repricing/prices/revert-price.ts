import { findPriceRow } from '#db/queries/repricing/price-rows.ts';
import { transact } from '#db/transact.ts';
import type { Cents } from '#domain/units.ts';
import { AppError } from '#usecases/app-error.ts';
import { lockListing } from '#usecases/catalog/listings/find-listing.ts';
import type { ListingDeps } from '#usecases/catalog/listings/listing-deps.ts';
import type { Editor } from '#usecases/editor.ts';
import { minute } from '#usecases/repricing/pricing/api-values.ts';
import type { ConfirmedReasons } from './confirmed-reasons.ts';
import { setManualPrice } from './manual-price.ts';
import { type HaltConfirmation, loadCase, rejectStalePrice } from './priced-listing.ts';

/**
 * Restores the price before a ledger row, as a new checked row; the listing is then on hold as after a manual price.
 * @param seen `from`: the price the user saw; `whileHalted` and `despiteReasons`: confirmed all the same
 * @throws AppError not_found; conflict when the price has changed; halted and not_repriceable unless confirmed;
 *   validation_failed when the old price is not allowed now, with the limit, or when the row has no price before it
 */
export async function revertPrice(
  { db, now }: ListingDeps,
  listingId: number,
  historyId: number,
  seen: {
    readonly from: Cents;
    readonly whileHalted?: HaltConfirmation;
    readonly despiteReasons?: ConfirmedReasons | undefined;
  },
  editor: Editor,
): Promise<void> {
  const at = now();
  await transact(db, async (tx) => {
    const listing = await lockListing(tx, listingId);
    const row = await findPriceRow(tx, listingId, historyId);
    if (row === null) throw new AppError('not_found', `${listing.sku} has no price change ${historyId}.`);
    if (row.oldPrice === null) {
      throw new AppError(
        'validation_failed',
        `This is the first price of ${listing.sku}: there is no earlier price.`,
      );
    }
    rejectStalePrice(listing, seen.from);
    const pricingInput = await loadCase(tx, listingId, at);
    const wanted = {
      price: row.oldPrice,
      source: 'undo',
      reason: `Reverted to the price before ${minute(row.timestamp)} by ${editor.name}.`,
      holdReason: `Price reverted by ${editor.name}`,
      action: 'price.reverted',
      whileHalted: seen.whileHalted,
      despiteReasons: seen.despiteReasons,
    } as const;
    await setManualPrice(tx, pricingInput, wanted, editor, at);
  });
}
