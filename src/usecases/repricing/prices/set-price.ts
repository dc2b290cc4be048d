import { transact } from '#db/transact.ts';
import type { Cents } from '#domain/units.ts';
import { lockListing } from '#usecases/catalog/listings/find-listing.ts';
import type { ListingDeps } from '#usecases/catalog/listings/listing-deps.ts';
import type { Editor } from '#usecases/editor.ts';
import type { ConfirmedReasons } from './confirmed-reasons.ts';
import { setManualPrice } from './manual-price.ts';
import { type HaltConfirmation, loadCase, rejectStalePrice } from './priced-listing.ts';

export interface SetPriceRequest {
  readonly price: Cents;
  readonly from: Cents;
  /** Confirmed despite a halt. */
  readonly whileHalted?: HaltConfirmation;
  /** Confirmed in spite of these reasons not to change it. */
  readonly despiteReasons?: ConfirmedReasons | undefined;
}

/**
 * Sets a price that a user entered. Minimum margin and price ceiling apply as for the engine, the step limit does not.
 * @param request `from` is the price the user saw
 * @throws AppError not_found; conflict when the price has changed; halted and not_repriceable unless confirmed;
 *   validation_failed with the limit
 */
export async function setPrice(
  { db, now }: ListingDeps,
  listingId: number,
  request: SetPriceRequest,
  editor: Editor,
): Promise<void> {
  const at = now();
  await transact(db, async (tx) => {
    rejectStalePrice(await lockListing(tx, listingId), request.from);
    const pricingInput = await loadCase(tx, listingId, at);
    const wanted = {
      price: request.price,
      source: 'person',
      reason: `Set by ${editor.name}.`,
      holdReason: `Price set by ${editor.name}`,
      action: 'price.typed',
      whileHalted: request.whileHalted,
      despiteReasons: request.despiteReasons,
    } as const;
    await setManualPrice(tx, pricingInput, wanted, editor, at);
  });
}
