import { transact } from '#db/transact.ts';
import type { Cents } from '#domain/units.ts';
import type { Editor } from '#usecases/editor.ts';
import type { ActDeps } from './act-deps.ts';
import { takePersonsPrice } from './persons-price.ts';
import { loadCase, lockListing, refuseHalted, refuseMoved } from './priced-listing.ts';

/**
 * Takes a price that a person typed. It binds like the engine's to minimum margin and ceiling, but not to its step.
 * @param typed `from` is the price they saw
 * @throws AppError not_found; conflict when the price has moved or everything is halted; validation_failed with the limit
 */
export async function typePrice(
  { db, now }: ActDeps,
  listingId: number,
  typed: { readonly price: Cents; readonly from: Cents },
  editor: Editor,
): Promise<void> {
  const at = now();
  await transact(db, async (tx) => {
    refuseMoved(await lockListing(tx, listingId), typed.from);
    const pricingCase = await loadCase(tx, listingId, at);
    refuseHalted(pricingCase.policy.halted);
    const wanted = {
      price: typed.price,
      source: 'person',
      reason: `Typed by ${editor.name}.`,
      holdReason: `Price typed by ${editor.name}`,
      action: 'price.typed',
    } as const;
    await takePersonsPrice(tx, pricingCase, wanted, editor, at);
  });
}
