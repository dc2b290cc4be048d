import type { Db } from '#db/client.ts';
import { notify } from '#db/listen.ts';
import { writeHolds } from '#db/queries/catalog/listing-acts.ts';
import { insertAudit } from '#db/queries/identity/audit.ts';
import { readSettings } from '#db/queries/repricing/pricing-context.ts';
import type { PriceMove } from '#db/queries/repricing/write-decisions.ts';
import { decimalFromCents } from '#domain/decimal.ts';
import { checkManualPrice, manualPriceMargin } from '#domain/manual-price.ts';
import { refusalText } from '#domain/manual-price-text.ts';
import { storeCase } from '#domain/stored-case.ts';
import { moneyText } from '#domain/text.ts';
import { type Bps, type Cents, type Instant, instant } from '#domain/units.ts';
import { AppError } from '#usecases/app-error.ts';
import { type Editor, madeBy } from '#usecases/editor.ts';
import { applyDecidedPrices } from '#usecases/repricing/pricing/apply-decided-prices.ts';
import type { PricingInput } from '#usecases/repricing/pricing/load-pricing-inputs.ts';
import { marginAt } from '#usecases/repricing/pricing/metrics-of.ts';
import { marginImpact } from './margin-impact.ts';
import { goPastHalt, type HaltConfirmation } from './priced-listing.ts';
import { settleTaken } from './settle-prices.ts';

/** A price that a person asks for, and how to tell of it. */
export interface ManualPrice {
  readonly price: Cents;
  readonly source: 'person' | 'undo';
  /** For the ledger. */
  readonly reason: string;
  /** Why the engine then leaves the listing alone. */
  readonly holdReason: string;
  readonly action: 'price.typed' | 'price.reverted';
  /** Confirmed to go out under a halt. */
  readonly whileHalted: HaltConfirmation;
}

const MINUTE = 60_000;

/**
 * Takes a price that a person asks for: checks it, moves the price or sends it on its way, and holds the listing for as long as the settings
 * say. The listing must be locked.
 * @throws AppError halted while everything is and nobody confirmed; validation_failed with the limit that refuses it
 */
export async function setManualPrice(
  tx: Db,
  pricingCase: PricingInput,
  wanted: ManualPrice,
  editor: Editor,
  now: Instant,
): Promise<void> {
  const { listing, isConnected } = pricingCase;
  const pastHalt = await goPastHalt(tx, wanted.whileHalted);
  const judged = judgePersonsPrice(pricingCase, wanted.price);
  if (judged.floor === null) throw refused(judged.message);
  const taken = [{ isConnected, ...personsMove(pricingCase, wanted.price, judged.floor, wanted.reason) }];
  const actor = { id: editor.id, name: editor.name };
  await applyDecidedPrices(tx, taken, { source: wanted.source, at: now, runId: null, actor, pastHalt });
  await settleTaken(tx, taken, now);
  await holdAfterPrices(tx, [listing], wanted.holdReason, editor, now);
  await insertAudit(tx, {
    ...madeBy(editor, now),
    action: wanted.action,
    targetKind: 'listing',
    targetId: String(listing.id),
    before: { price: decimalFromCents(listing.currentPrice) },
    after: { price: decimalFromCents(wanted.price), ...(pastHalt !== null && { whileHalted: true }) },
  });
  await notify(tx, 'pricewright_listings', [listing.id]);
}

/** The lowest allowed price that a person's price was held against, or why it is refused. */
export type PersonsJudgement =
  | { readonly floor: Cents; readonly message: null }
  | { readonly floor: null; readonly message: string };

/** Checks a price that a person asks for against what binds people. */
export function judgePersonsPrice({ listing, facts, choice }: PricingInput, price: Cents): PersonsJudgement {
  const { pendingPrice, currentPrice, sku } = listing;
  if (price === pendingPrice) {
    return { floor: null, message: `${moneyText(price)} is already on its way for ${sku}.` };
  }
  // While another price is on its way, the one in force is a price to go back to.
  if (price === currentPrice && pendingPrice === null) {
    return { floor: null, message: `${sku} is already priced at ${moneyText(price)}.` };
  }
  const minimumMargin = manualPriceMargin(choice, facts);
  const judgement = checkManualPrice(facts, minimumMargin, price);
  const floor = judgement.set?.marginFloor ?? null;
  if (judgement.isAllowed && floor !== null) return { floor, message: null };
  const message = refusalText(judgement, price, facts, minimumMargin) ?? 'This price cannot be checked.';
  return { floor: null, message };
}

/** The row of the ledger for a price that a person asked for and was allowed, with the margin it brings. */
export function personsMove(
  pricingCase: PricingInput,
  price: Cents,
  floor: Cents,
  reason: string,
): { readonly move: PriceMove; readonly margin: Bps | null } {
  const { listing, facts } = pricingCase;
  const margin = marginAt(price, facts);
  const move = {
    listingId: listing.id,
    oldPrice: listing.currentPrice,
    newPrice: price,
    reason,
    marginImpact: marginImpact(marginAt(listing.currentPrice, facts), margin),
    // The rule did not want it; what it says about the margin is among the facts.
    ruleId: null,
    competitorPrice: null,
    marginFloor: floor,
    feeVersion: facts.fees?.version ?? null,
    facts: JSON.stringify(storeCase(pricingCase)),
  };
  return { move, margin };
}

function refused(message: string): AppError {
  return new AppError('validation_failed', message, { fields: { price: message } });
}

/** Keeps the engine away from prices that people took, for as long as the settings say. */
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
  // Somebody wanted the engine away for longer: a typed price must not call it back.
  const shorter = listings.filter(
    ({ heldBy, heldUntil }) => heldBy === null || (heldUntil !== null && heldUntil <= until),
  );
  if (shorter.length === 0) return;
  await writeHolds(
    tx,
    shorter.map(({ id }) => id),
    { until, by: name, reason },
    now,
  );
}
