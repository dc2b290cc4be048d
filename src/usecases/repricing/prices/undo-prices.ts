import type { Db } from '#db/client.ts';
import { notify } from '#db/listen.ts';
import { lockListings } from '#db/queries/catalog/listing-acts.ts';
import { insertAudits } from '#db/queries/identity/audit.ts';
import {
  type IntendedBy,
  readInProgressOfRun,
  type WithdrawnPrice,
  withdrawOfRun,
} from '#db/queries/marketplaces/queued-prices.ts';
import {
  growActRun,
  insertActRun,
  type MovedByRun,
  readMovedByRun,
} from '#db/queries/repricing/price-rows.ts';
import { decimalFromCents } from '#domain/decimal.ts';
import type { Cents, Instant } from '#domain/units.ts';
import type { BulkActionResult, Refusal } from '#usecases/catalog/listings/bulk-action-deps.ts';
import { type Editor, madeBy } from '#usecases/editor.ts';
import { applyDecidedPrices } from '#usecases/repricing/pricing/apply-decided-prices.ts';
import { loadPricingInputs, type PricingInput } from '#usecases/repricing/pricing/load-pricing-inputs.ts';
import { loadPricingContext } from '#usecases/repricing/pricing/pricing-context.ts';
import { holdAfterPrices, manualMove, validateManualPrice } from './manual-price.ts';
import { goPastHalt } from './priced-listing.ts';
import { type AppliedManualPrice, settleManualPrices } from './settle-prices.ts';

/** The run to undo. */
export interface UndoneRun {
  readonly undoesRunId: number;
  /** The halt despite which it was confirmed; null for none. */
  readonly pastHalt: Instant | null;
}

/** A batch of undone prices, and the run that holds all batches of one undo. */
export interface UndoneBatch extends BulkActionResult {
  readonly runId: number | null;
}

/** A restored price with its listing. */
export interface Undone extends AppliedManualPrice {
  readonly listing: PricingInput['listing'];
}

/**
 * Undoes a run's price changes of a batch of listings, in one transaction, each as a new checked price followed by a hold.
 * A listing is skipped and reported when its price has changed again or its old price is not allowed now. Queued prices
 * are withdrawn; prices in progress cannot be stopped and are reported.
 * @param runId the run of the batches before; null for the first
 * @throws AppError halted during a halt that was not confirmed
 */
export async function undoPrices(
  tx: Db,
  ids: readonly number[],
  { undoesRunId, pastHalt: confirmed }: UndoneRun,
  runId: number | null,
  editor: Editor,
  now: Instant,
): Promise<UndoneBatch> {
  await lockListings(tx, ids);
  const pastHalt = await goPastHalt(tx, confirmed);
  const context = await loadPricingContext(tx, now);
  const withdrawn = await withdrawOfRun(tx, undoesRunId, ids, now);
  const moved = await readMovedByRun(tx, undoesRunId, ids);
  const cases = new Map((await loadPricingInputs(tx, context, ids)).map((one) => [one.listing.id, one]));
  const reason = `Reverted to the price before run ${undoesRunId} by ${editor.name}.`;
  const taken: Undone[] = [];
  const underWay = await readInProgressOfRun(tx, undoesRunId, ids);
  const refused: Refusal[] = underWay.map(({ id, sku }) => ({
    listingId: id,
    sku,
    message: PRICE_IN_PROGRESS,
  }));
  for (const one of moved) {
    const outcome = undoneOf(one, cases.get(one.id), reason);
    if (typeof outcome === 'string') refused.push({ listingId: one.id, sku: one.sku, message: outcome });
    else taken.push(outcome);
  }
  return recordUndone(
    tx,
    {
      taken,
      withdrawn,
      withdrawnListings: withdrawn.flatMap(({ id }) => cases.get(id)?.listing ?? []),
      refused,
      undoesRunId,
      runId,
      pastHalt,
    },
    editor,
    now,
  );
}

/** Results of a batch of an undo, to be recorded. */
export interface UndoneWork {
  readonly taken: readonly Undone[];
  /** Queued prices that were withdrawn. */
  readonly withdrawn: readonly WithdrawnPrice[];
  /** Their listings: without a hold the engine would queue the same price again. */
  readonly withdrawnListings: readonly PricingInput['listing'][];
  readonly refused: readonly Refusal[];
  /** The run that is undone; null for a set of changes. */
  readonly undoesRunId: number | null;
  /** The run of the batches before; null for the first. */
  readonly runId: number | null;
  /** The current halt, which was confirmed; null for none. */
  readonly pastHalt: Instant | null;
}

/** Records the run, the prices, the holds and the audit log. */
export async function recordUndone(
  tx: Db,
  work: UndoneWork,
  editor: Editor,
  now: Instant,
): Promise<UndoneBatch> {
  const { taken, withdrawn, withdrawnListings, refused, undoesRunId, runId, pastHalt } = work;
  // Each listing counts once, by the result for the price that buyers see.
  const counted = new Set([
    ...taken.map(({ listing }) => listing.id),
    ...refused.map(({ listingId }) => listingId),
  ]);
  const done = taken.length + withdrawn.filter(({ id }) => !counted.has(id)).length;
  // Repeating an undo without any effect must not add an empty run.
  if (done === 0 && withdrawn.length === 0 && runId === null) return { done, refused, runId };
  const counts = { evaluated: done + refused.length, changed: done, kept: refused.length, blocked: 0 };
  const run = runId ?? (await insertActRun(tx, editor.name, counts, now, 'undo', undoesRunId));
  if (runId !== null) await growActRun(tx, run, counts, now);
  if (taken.length > 0) await record(tx, taken, { runId: run, pastHalt }, editor, now);
  const held = new Map(
    [...taken.map(({ listing }) => listing), ...withdrawnListings].map((one) => [one.id, one]),
  );
  if (held.size > 0)
    await holdAfterPrices(tx, [...held.values()], `Run undone by ${editor.name}`, editor, now);
  const audited = { run, ...(pastHalt !== null && { whileHalted: true }) };
  await auditReverted(tx, [...taken.map(movedBack), ...withdrawn.map(notSent)], audited, editor, now);
  const inProgress = taken.filter(({ isConnected }) => isConnected).length;
  return { done, inProgress, refused, runId: run };
}

export const PRICE_IN_PROGRESS = 'The price is on its way to the marketplace. Undo it after it is confirmed.';

/** The row that restores the price, or why there is none. */
function undoneOf(moved: MovedByRun, pricingCase: PricingInput | undefined, reason: string): Undone | string {
  if (moved.isDeleted || pricingCase === undefined) return 'This listing was deleted.';
  if (!moved.isLatest) return 'The price has changed since that run.';
  const { floor, message } = validateManualPrice(pricingCase, moved.oldPrice);
  if (floor === null) return message;
  const { listing, isConnected } = pricingCase;
  return { listing, isConnected, ...manualMove(pricingCase, moved.oldPrice, floor, reason) };
}

async function record(
  tx: Db,
  taken: readonly Undone[],
  by: Pick<IntendedBy, 'runId' | 'pastHalt'>,
  editor: Editor,
  now: Instant,
): Promise<void> {
  const actor = { id: editor.id, name: editor.name };
  await applyDecidedPrices(tx, taken, { ...by, source: 'undo', at: now, actor });
  await settleManualPrices(tx, taken, now);
}

/** Old and restored price of a listing. */
interface Reverted {
  readonly listingId: number;
  readonly from: Cents;
  readonly to: Cents;
}

function movedBack({ move: { listingId, oldPrice, newPrice } }: Undone): Reverted {
  return { listingId, from: oldPrice, to: newPrice };
}

function notSent({ id, price, fromPrice }: WithdrawnPrice): Reverted {
  return { listingId: id, from: price, to: fromPrice };
}

async function auditReverted(
  tx: Db,
  reverted: readonly Reverted[],
  audited: Readonly<Record<string, unknown>>,
  editor: Editor,
  now: Instant,
): Promise<void> {
  if (reverted.length === 0) return;
  await insertAudits(
    tx,
    reverted.map(({ listingId, from, to }) => ({
      ...madeBy(editor, now),
      action: 'price.reverted',
      targetKind: 'listing',
      targetId: String(listingId),
      before: { price: decimalFromCents(from) },
      after: { price: decimalFromCents(to), ...audited },
    })),
  );
  await notify(
    tx,
    'pricewright_listings',
    reverted.map(({ listingId }) => listingId),
  );
}
