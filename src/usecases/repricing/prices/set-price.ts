import { transact } from '#db/transact.ts';
import type { Cents } from '#domain/units.ts';
import type { BulkActionDeps } from '#usecases/catalog/listings/bulk-action-deps.ts';
import type { Editor } from '#usecases/editor.ts';
import { setManualPrice } from './manual-price.ts';
import { type HaltConfirmation, loadCase, lockListing, rejectStalePrice } from './priced-listing.ts';

export interface TypedPrice {
  readonly price: Cents;
  readonly from: Cents;
  /** Confirmed to change under a halt. */
  readonly whileHalted?: HaltConfirmation;
}

/**
 * Takes a price that a person typed. It binds like the engine's to minimum margin and ceiling, but not to its step.
 * @param typed `from` is the price they saw
 * @throws AppError not_found; conflict when the price has moved; halted unless that was confirmed; validation_failed
 *   with the limit
 */
export async function setPrice(
  { db, now }: BulkActionDeps,
  listingId: number,
  typed: TypedPrice,
  editor: Editor,
): Promise<void> {
  const at = now();
  await transact(db, async (tx) => {
    rejectStalePrice(await lockListing(tx, listingId), typed.from);
    const pricingCase = await loadCase(tx, listingId, at);
    const wanted = {
      price: typed.price,
      source: 'person',
      reason: `Set by ${editor.name}.`,
      holdReason: `Price set by ${editor.name}`,
      action: 'price.typed',
      whileHalted: typed.whileHalted,
    } as const;
    await setManualPrice(tx, pricingCase, wanted, editor, at);
  });
}
