import type { Db } from '#db/client.ts';
import { notify } from '#db/listen.ts';
import { lockListings, withRecommendation } from '#db/queries/catalog/listing-writes.ts';
import { insertAudits } from '#db/queries/identity/audit.ts';
import { readGroupMembers } from '#db/queries/repricing/price-groups.ts';
import { type ActionCounts, growActionRun, insertActionRun } from '#db/queries/repricing/price-rows.ts';
import { decimalFromCents } from '#domain/decimal.ts';
import { moneyText } from '#domain/text.ts';
import type { Instant } from '#domain/units.ts';
import type { BulkActionResult, Refusal } from '#usecases/catalog/listings/listing-deps.ts';
import { type Editor, madeBy } from '#usecases/editor.ts';
import { applyDecidedPrices, type DecidedPrice } from '#usecases/repricing/pricing/apply-decided-prices.ts';
import { loadPricingInputs, type PricingInput } from '#usecases/repricing/pricing/load-pricing-inputs.ts';
import { loadPricingContext } from '#usecases/repricing/pricing/pricing-context.ts';
import { type Applicable, applicablePrice, appliedMoves } from './applicable-price.ts';
import {
  auditedReason,
  type ConfirmedReasons,
  type ReasonsOfBatch,
  reasonsOfBatch,
} from './confirmed-reasons.ts';
import { rejectEnginePriceInHalt } from './priced-listing.ts';
import { settleManualPrices } from './settle-prices.ts';

/** A batch of applied recommendations, and the run that holds all batches of one action. */
export interface AppliedBatch extends BulkActionResult {
  readonly runId: number | null;
}

/**
 * Applies recommended prices in one transaction: each is decided again, and one whose price is no longer the recommended
 * one is skipped and reported. Listings without a recommendation are ignored.
 * @param confirmed reasons not to change prices, in spite of which the user confirmed; a listing with another is skipped
 * @param runId the run of the batches before; null for the first
 * @throws AppError conflict when repricing is halted
 */
export async function applyPrices(
  tx: Db,
  ids: readonly number[],
  confirmed: ConfirmedReasons,
  runId: number | null,
  editor: Editor,
  now: Instant,
): Promise<AppliedBatch> {
  const chosen = await withRecommendation(tx, ids);
  if (chosen.length === 0) return { done: 0, refused: [], runId };
  const waiting = [...new Set([...chosen, ...(await readGroupMembers(tx, chosen))])];
  await lockListings(tx, waiting);
  const context = await loadPricingContext(tx, now);
  rejectEnginePriceInHalt(context.facts.halted);
  const reasons = await reasonsOfBatch(tx, waiting, confirmed, now);
  const checked = wholeGroups(
    (await loadPricingInputs(tx, context, waiting)).map((one) =>
      checkListing(one, reasons.stopped.get(one.listing.id)),
    ),
  );
  const taken = checked.filter((one) => one.refusal === null);
  const refused = checked.flatMap(({ refusal }) => (refusal === null ? [] : [refusal]));
  const counts = countsOf(checked);
  const run = runId ?? (await insertActionRun(tx, editor.name, counts, now));
  if (runId !== null) await growActionRun(tx, run, counts, now);
  await record(
    tx,
    taken.flatMap((one) => one.taken ?? []),
    { confirmed, passed: reasons.passed },
    run,
    editor,
    now,
  );
  const inProgress = taken.filter((one) => one.taken?.isConnected === true).length;
  return { done: taken.length, inProgress, refused, runId: run };
}

/** One listing of a batch: its price, or why it is skipped. */
interface CheckedListing {
  readonly pricingInput: PricingInput;
  readonly taken: DecidedPrice | null;
  readonly refusal: Refusal | null;
  readonly isBlocked: boolean;
}

/** @param stopped why its price must not be changed */
function checkListing(pricingInput: PricingInput, stopped: string | undefined): CheckedListing {
  const applicable = applicablePrice(pricingInput);
  const message = whyNot(pricingInput, applicable) ?? stopped ?? null;
  if (message === null && applicable.kind === 'price') {
    const [taken = null] = appliedMoves(pricingInput, applicable);
    return { pricingInput, taken, refusal: null, isBlocked: false };
  }
  const { id, sku } = pricingInput.listing;
  const refusal = { listingId: id, sku, message: message ?? 'There is no price to apply.' };
  return {
    pricingInput,
    taken: null,
    refusal,
    isBlocked: applicable.kind === 'none' && applicable.isBlocked,
  };
}

/** A price that listings share is applied to all of them, or to none. */
function wholeGroups(checked: readonly CheckedListing[]): CheckedListing[] {
  const refusals = new Map(checked.map(({ pricingInput, refusal }) => [pricingInput.listing.id, refusal]));
  return checked.map((one) => {
    const { listing, mates } = one.pricingInput;
    const stopped = mates.find((mate) => refusals.get(mate.listing.id) !== null);
    if (one.refusal !== null || stopped === undefined) return one;
    const why = refusals.get(stopped.listing.id)?.message ?? '';
    const message = `${stopped.listing.sku} shares this price. ${why}`;
    return { ...one, taken: null, refusal: { listingId: listing.id, sku: listing.sku, message } };
  });
}

/** Why a recommendation cannot be applied as shown; null when it can. */
export function whyNot({ listing }: PricingInput, applicable: Applicable): string | null {
  if (applicable.kind === 'none') return applicable.message;
  const { recommendedPrice } = listing;
  if (applicable.price === recommendedPrice) return null;
  const from = recommendedPrice === null ? '' : ` from ${moneyText(recommendedPrice)}`;
  return `The recommendation changed${from} to ${moneyText(applicable.price)}. Review it, then apply again.`;
}

function countsOf(checked: readonly CheckedListing[]): ActionCounts {
  const changed = checked.filter(({ refusal }) => refusal === null).length;
  const blocked = checked.filter(({ isBlocked }) => isBlocked).length;
  return { evaluated: checked.length, changed, blocked, kept: checked.length - changed - blocked };
}

async function record(
  tx: Db,
  taken: readonly DecidedPrice[],
  { confirmed, passed }: { readonly confirmed: ConfirmedReasons; readonly passed: ReasonsOfBatch['passed'] },
  runId: number,
  editor: Editor,
  now: Instant,
): Promise<void> {
  if (taken.length === 0) return;
  const moves = taken.map(({ move }) => move);
  const actor = { id: editor.id, name: editor.name };
  await applyDecidedPrices(tx, taken, {
    source: 'apply',
    at: now,
    runId,
    actor,
    pastHalt: null,
    despiteReasons: confirmed,
  });
  await settleManualPrices(tx, taken, now);
  await insertAudits(
    tx,
    moves.map((move) => ({
      ...madeBy(editor, now),
      action: 'price.applied',
      targetKind: 'listing',
      targetId: String(move.listingId),
      before: { price: decimalFromCents(move.oldPrice) },
      after: {
        price: decimalFromCents(move.newPrice),
        run: runId,
        ...auditedReason(passed.get(move.listingId)),
      },
    })),
  );
  await notify(
    tx,
    'pricewright_listings',
    moves.map(({ listingId }) => listingId),
  );
}
