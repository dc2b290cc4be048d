import type { Db } from '#db/client.ts';
import { notify } from '#db/listen.ts';
import { writeHolds } from '#db/queries/catalog/listing-writes.ts';
import { insertAudits } from '#db/queries/identity/audit.ts';
import type { PriceMove } from '#db/queries/repricing/decision-rows.ts';
import { readSettings } from '#db/queries/repricing/pricing-context.ts';
import { decimalFromCents } from '#domain/decimal.ts';
import { checkManualPrice, manualPriceMargin } from '#domain/decision/manual-price.ts';
import { refusalText } from '#domain/decision/manual-price-text.ts';
import { storeCase } from '#domain/decision/stored-case.ts';
import { MARKETPLACE_NAMES } from '#domain/marketplaces.ts';
import { moneyText } from '#domain/text.ts';
import { type Cents, type Instant, instant } from '#domain/units.ts';
import { AppError } from '#usecases/app-error.ts';
import { type Editor, madeBy } from '#usecases/editor.ts';
import { applyDecidedPrices, type DecidedPrice } from '#usecases/repricing/pricing/apply-decided-prices.ts';
import type { PricingInput } from '#usecases/repricing/pricing/load-pricing-inputs.ts';
import { marginImpact } from '#usecases/repricing/pricing/margin-impact.ts';
import { marginAt } from '#usecases/repricing/pricing/metrics-of.ts';
import {
  auditedReason,
  type ConfirmedReasons,
  reasonsOfBatch,
  requireReasonsConfirmed,
} from './confirmed-reasons.ts';
import { goPastHalt, type HaltConfirmation } from './priced-listing.ts';
import { settleManualPrices } from './settle-prices.ts';

/** A price that a user sets, with its texts for the records. */
export interface ManualPrice {
  readonly price: Cents;
  readonly source: 'person' | 'undo';
  /** Reason in the price history. */
  readonly reason: string;
  /** Reason of the hold that follows. */
  readonly holdReason: string;
  readonly action: 'price.typed' | 'price.reverted' | 'price.repaired';
  /** Confirmed to be sent despite a halt. */
  readonly whileHalted: HaltConfirmation;
  readonly despiteReasons: ConfirmedReasons | undefined;
}

const MINUTE = 60_000;

/**
 * Sets a price that a user requested: checks it, records or queues it, and holds the listing for the time in the settings,
 * with all listings that share the price. They must be locked.
 * @throws AppError halted during a halt without confirmation; validation_failed with the limit that rejects the price;
 *   not_repriceable for a reason that was not confirmed
 */
export async function setManualPrice(
  tx: Db,
  pricingInput: PricingInput,
  wanted: ManualPrice,
  editor: Editor,
  now: Instant,
): Promise<void> {
  const members = [pricingInput, ...pricingInput.mates];
  const listings = members.map(({ listing }) => listing);
  const pastHalt = await goPastHalt(tx, wanted.whileHalted);
  const checked = validateManualPrice(pricingInput, wanted.price);
  if (checked.floor === null) throw refused(checked.message);
  const { despiteReasons = [] } = wanted;
  const ids = listings.map(({ id }) => id);
  await requireReasonsConfirmed(tx, ids, despiteReasons, now);
  const { passed } = await reasonsOfBatch(tx, ids, despiteReasons, now);
  const taken = manualMoves(pricingInput, wanted.price, checked.floor, wanted.reason);
  const actor = { id: editor.id, name: editor.name };
  const by = { source: wanted.source, at: now, runId: null, actor, pastHalt, despiteReasons };
  await applyDecidedPrices(tx, taken, by);
  await settleManualPrices(tx, taken, now);
  await holdAfterPrices(tx, listings, wanted.holdReason, editor, now);
  await insertAudits(
    tx,
    listings.map(({ id, currentPrice }) => ({
      ...madeBy(editor, now),
      action: wanted.action,
      targetKind: 'listing',
      targetId: String(id),
      before: { price: decimalFromCents(currentPrice) },
      after: {
        price: decimalFromCents(wanted.price),
        ...(pastHalt !== null && { whileHalted: true }),
        ...auditedReason(passed.get(id)),
      },
    })),
  );
  await notify(tx, 'pricewright_listings', ids);
}

/** The margin floor that a manual price was checked against, or why it is rejected. */
export type ManualPriceResult =
  | { readonly floor: Cents; readonly message: null }
  | { readonly floor: null; readonly message: string };

/** Checks a price against the limits for manual prices, also those of the listings that share it. */
export function validateManualPrice(pricingInput: PricingInput, price: Cents): ManualPriceResult {
  const { listing } = pricingInput;
  const { pendingPrice, currentPrice, sku } = listing;
  if (price === pendingPrice) {
    return { floor: null, message: `${moneyText(price)} is already on its way for ${sku}.` };
  }
  // While another price is in progress, the current price is one to return to.
  if (price === currentPrice && pendingPrice === null) {
    return { floor: null, message: `${sku} is already priced at ${moneyText(price)}.` };
  }
  return checkLimits(pricingInput, price);
}

/** Checks a price against the limits of a listing, and of those that share its price. */
export function checkLimits(pricingInput: PricingInput, price: Cents): ManualPriceResult {
  const own = checkOwnLimits(pricingInput, price);
  if (own.floor === null) return own;
  for (const mate of pricingInput.mates) {
    const { message } = checkOwnLimits(mate, price);
    if (message !== null)
      return { floor: null, message: `${mate.listing.sku} shares this price. ${message}` };
  }
  return own;
}

function checkOwnLimits({ facts, choice }: PricingInput, price: Cents): ManualPriceResult {
  const minimumMargin = manualPriceMargin(choice, facts);
  const result = checkManualPrice(facts, minimumMargin, price);
  const floor = result.set?.marginFloor ?? null;
  if (result.isAllowed && floor !== null) return { floor, message: null };
  const message = refusalText(result, price, facts, minimumMargin) ?? 'This price cannot be checked.';
  return { floor: null, message };
}

/** The ledger row of an allowed manual price. */
export function manualMove(
  pricingInput: PricingInput,
  price: Cents,
  floor: Cents,
  reason: string,
): PriceMove {
  const { listing, facts } = pricingInput;
  const margin = marginAt(price, facts);
  return {
    listingId: listing.id,
    oldPrice: listing.currentPrice,
    newPrice: price,
    reason,
    marginImpact: marginImpact(marginAt(listing.currentPrice, facts), margin),
    marginAfter: margin,
    // The rule did not choose this price; its minimum margin is among the stored facts.
    ruleId: null,
    competitorPrice: null,
    marginFloor: floor,
    feeVersion: facts.fees?.version ?? null,
    facts: JSON.stringify(storeCase(pricingInput)),
  };
}

/** A manual price of a listing, as it is recorded. */
export interface ManualPriceMove extends DecidedPrice {
  readonly listing: PricingInput['listing'];
}

/** The ledger rows of an allowed manual price: of the listing, and of those that share the price. */
export function manualMoves(
  pricingInput: PricingInput,
  price: Cents,
  floor: Cents,
  reason: string,
): ManualPriceMove[] {
  return [pricingInput, ...pricingInput.mates].map((member) => {
    const { listing, isConnected } = member;
    const ownFloor = member === pricingInput ? floor : (checkOwnLimits(member, price).floor ?? floor);
    return { listing, isConnected, move: manualMove(member, price, ownFloor, reason) };
  });
}

function refused(message: string): AppError {
  return new AppError('validation_failed', message, { fields: { price: message } });
}

/** By whom a listing is held while something else sets its price on its marketplace. */
const OF_MARKETPLACES: ReadonlySet<string> = new Set(Object.values(MARKETPLACE_NAMES));

/** Holds listings after a manual price, for the time in the settings. */
export async function holdAfterPrices(
  tx: Db,
  listings: readonly Pick<PricingInput['listing'], 'id' | 'heldBy' | 'heldUntil'>[],
  reason: string,
  { name }: Pick<Editor, 'name'>,
  now: Instant,
): Promise<void> {
  const { holdMinutes } = await readSettings(tx);
  if (holdMinutes === 0) return;
  const until = instant(now + holdMinutes * MINUTE);
  // A longer hold set by a user must not be shortened by a manual price. A marketplace's own ends with its sale, and takes
  // its place again where that runs for longer.
  const shorter = listings.filter(
    ({ heldBy, heldUntil }) =>
      heldBy === null || OF_MARKETPLACES.has(heldBy) || (heldUntil !== null && heldUntil <= until),
  );
  if (shorter.length === 0) return;
  await writeHolds(
    tx,
    shorter.map(({ id }) => id),
    { until, by: name, reason },
    now,
  );
}
