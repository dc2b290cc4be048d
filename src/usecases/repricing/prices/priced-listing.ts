import type { Db } from '#db/client.ts';
import type { ListingRecord } from '#db/queries/catalog/listing-writes.ts';
import { readHalt } from '#db/queries/repricing/engine.ts';
import { decimalFromCents } from '#domain/decimal.ts';
import { moneyText } from '#domain/text.ts';
import type { Cents, Instant } from '#domain/units.ts';
import { AppError } from '#usecases/app-error.ts';
import { listingNotFound } from '#usecases/catalog/listings/find-listing.ts';
import { loadPricingInputs, type PricingInput } from '#usecases/repricing/pricing/load-pricing-inputs.ts';
import { loadPricingContext } from '#usecases/repricing/pricing/pricing-context.ts';

/**
 * Loads all current facts for a decision about one listing.
 * @throws AppError not_found
 */
export async function loadCase(db: Db, id: number, now: Instant): Promise<PricingInput> {
  const [pricingInput] = await loadPricingInputs(db, await loadPricingContext(db, now), [id]);
  if (pricingInput === undefined) throw listingNotFound(id);
  return pricingInput;
}

/**
 * Rejects an action on a price that has changed after the user loaded it.
 * @throws AppError conflict, with the new price as `fields.price`
 */
export function rejectStalePrice(listing: ListingRecord, seen: Cents): void {
  const { currentPrice, sku } = listing;
  if (currentPrice === seen) return;
  throw new AppError(
    'conflict',
    `The price of ${sku} changed from ${moneyText(seen)} to ${moneyText(currentPrice)} after you opened it.`,
    { fields: { price: decimalFromCents(currentPrice) } },
  );
}

/** What a user confirmed: nothing, an action despite the current halt, or only despite the halt that started at this time. */
export type HaltConfirmation = boolean | Instant | null | undefined;

/**
 * A halt stops the engine and queued prices. A user's own action is allowed once it is confirmed, until another halt
 * starts.
 * @returns start of the halt that was confirmed; null when repricing is not halted
 * @throws AppError halted, with the current halt as `fields.whileHalted`
 */
export async function goPastHalt(tx: Db, confirmed: HaltConfirmation): Promise<Instant | null> {
  const halt = await readHalt(tx);
  if (halt === null || confirmed === true || confirmed === halt) return halt;
  const message =
    typeof confirmed === 'number'
      ? 'Repricing was halted again after you confirmed. Check why, then confirm again.'
      : 'Repricing is halted. Confirm that you want to change this price anyway.';
  throw new AppError('halted', message, { fields: { whileHalted: new Date(halt).toISOString() } });
}

/**
 * Rejects prices decided by the engine during a halt, also when a user applies them: they may be why it was halted.
 * @throws AppError conflict
 */
export function rejectEnginePriceInHalt(isHalted: boolean): void {
  if (!isHalted) return;
  throw new AppError(
    'conflict',
    'Repricing is halted, so recommended prices cannot be applied. Set the price manually, or apply it after repricing is resumed.',
  );
}
