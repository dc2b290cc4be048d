import type { Db } from '#db/client.ts';
import { type ListingRecord, lockListings } from '#db/queries/catalog/listing-acts.ts';
import { readHalt } from '#db/queries/repricing/engine.ts';
import { decimalFromCents } from '#domain/decimal.ts';
import { moneyText } from '#domain/text.ts';
import type { Cents, Instant } from '#domain/units.ts';
import { AppError } from '#usecases/app-error.ts';
import { loadPricingInputs, type PricingInput } from '#usecases/repricing/pricing/load-pricing-inputs.ts';
import { loadPricingContext } from '#usecases/repricing/pricing/pricing-context.ts';

/**
 * Locks one listing, so that its price cannot move under the check of another.
 * @throws AppError not_found
 */
export async function lockListing(tx: Db, id: number): Promise<ListingRecord> {
  const [listing] = await lockListings(tx, [id]);
  if (listing === undefined) throw listingNotFound(id);
  return listing;
}

export function listingNotFound(id: number): AppError {
  return new AppError('not_found', `There is no listing ${id}. It may have been deleted.`);
}

/**
 * Everything a decision about one listing is made from, as it is now.
 * @throws AppError not_found
 */
export async function loadCase(db: Db, id: number, now: Instant): Promise<PricingInput> {
  const [pricingCase] = await loadPricingInputs(db, await loadPricingContext(db, now), [id]);
  if (pricingCase === undefined) throw listingNotFound(id);
  return pricingCase;
}

/**
 * Refuses an act on a price that has moved since the person looked.
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

/** What a person confirmed: nothing, to go past the halt in force, or past the halt that began at that moment and no other. */
export type HaltConfirmation = boolean | Instant | null | undefined;

/**
 * A halt stops what the engine does and what waits to be sent. What a person asks for goes through it once they confirm;
 * another halt, which they have not seen, stops it again.
 * @returns the halt that it goes past; null when nothing is halted
 * @throws AppError halted, with the halt in force as `fields.whileHalted`
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
 * The engine's own prices wait for the end of a halt, whoever sends them on: it was halted because they may be wrong.
 * @throws AppError conflict
 */
export function refuseEnginesPrice(isHalted: boolean): void {
  if (!isHalted) return;
  throw new AppError(
    'conflict',
    'Repricing is halted, so recommended prices cannot be applied. Set the price manually, or apply it after repricing is resumed.',
  );
}
