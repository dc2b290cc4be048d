import type { Db } from '#db/client.ts';
import { notify } from '#db/listen.ts';
import { lockListings } from '#db/queries/catalog/listing-writes.ts';
import { insertAudits } from '#db/queries/identity/audit.ts';
import {
  type IntendedBy,
  readInProgressOfRun,
  type WithdrawnPrice,
  withdrawOfRun,
} from '#db/queries/marketplaces/sending/queued-prices.ts';
import {
  growActionRun,
  insertActionRun,
  type MovedByRun,
  readMovedByRun,
} from '#db/queries/repricing/price-rows.ts';
import { decimalFromCents } from '#domain/decimal.ts';
import type { Cents, Instant } from '#domain/units.ts';
import type { BulkActionResult, Refusal } from '#usecases/catalog/listings/listing-deps.ts';
import { type Editor, madeBy } from '#usecases/editor.ts';
import { applyDecidedPrices } from '#usecases/repricing/pricing/apply-decided-prices.ts';
import { loadPricingInputs, type PricingInput } from '#usecases/repricing/pricing/load-pricing-inputs.ts';
import { loadPricingContext } from '#usecases/repricing/pricing/pricing-context.ts';
import {
  auditedReason,
  type ConfirmedReasons,
  type ReasonsOfBatch,
  reasonsOfBatch,
} from './confirmed-reasons.ts';
import { holdAfterPrices, type ManualPriceMove, manualMoves, validateManualPrice } from './manual-price.ts';
import { goPastHalt } from './priced-listing.ts';
import { settleManualPrices } from './settle-prices.ts';

/** The run to undo. */
export interface UndoneRun {
  readonly undoesRunId: number;
  /** The halt despite which it was confirmed; null for none. */
  readonly pastHalt: Instant | null;
  /** Reasons not to change prices, in spite of which it was confirmed. */
  readonly despiteReasons: ConfirmedReasons;
}

/** A batch of undone prices, and the run that holds all batches of one undo. */
export interface UndoneBatch extends BulkActionResult {
  readonly runId: number | null;
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
  { undoesRunId, pastHalt: confirmed, despiteReasons }: UndoneRun,
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
  const undone: ManualPriceMove[] = [];
  const underWay = await readInProgressOfRun(tx, undoesRunId, ids);
  const refusals: Refusal[] = underWay.map(({ id, sku }) => ({
    listingId: id,
    sku,
    message: PRICE_IN_PROGRESS,
  }));
  const reasons = await reasonsOfBatch(tx, withMates(cases.values()), despiteReasons, now);
  for (const one of moved) {
    const found = undoneOf(one, cases.get(one.id), reason);
    const outcome = typeof found === 'string' ? found : (stoppedBy(found, reasons.stopped) ?? found);
    if (typeof outcome === 'string') refusals.push({ listingId: one.id, sku: one.sku, message: outcome });
    else undone.push(...outcome);
  }
  const { taken, refused } = oncePerListing(undone, refusals);
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
      despiteReasons,
      passed: reasons.passed,
    },
    editor,
    now,
  );
}

/** Results of a batch of an undo, to be recorded. */
export interface UndoneWork {
  readonly taken: readonly ManualPriceMove[];
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
  readonly despiteReasons: ConfirmedReasons;
  readonly passed: ReasonsOfBatch['passed'];
}

/** Records the run, the prices, the holds and the audit log. */
export async function recordUndone(
  tx: Db,
  work: UndoneWork,
  editor: Editor,
  now: Instant,
): Promise<UndoneBatch> {
  const { taken, withdrawn, withdrawnListings, refused, undoesRunId, runId } = work;
  const { pastHalt, despiteReasons, passed } = work;
  // Each listing counts once, by the result for the price that buyers see.
  const counted = new Set([
    ...taken.map(({ listing }) => listing.id),
    ...refused.map(({ listingId }) => listingId),
  ]);
  const done = taken.length + withdrawn.filter(({ id }) => !counted.has(id)).length;
  // Repeating an undo without any effect must not add an empty run.
  if (done === 0 && withdrawn.length === 0 && runId === null) return { done, refused, runId };
  const counts = { evaluated: done + refused.length, changed: done, kept: refused.length, blocked: 0 };
  const run = runId ?? (await insertActionRun(tx, editor.name, counts, now, 'undo', undoesRunId));
  if (runId !== null) await growActionRun(tx, run, counts, now);
  if (taken.length > 0) {
    await record(tx, taken, { runId: run, pastHalt, despiteReasons }, editor, now);
  }
  const held = new Map(
    [...taken.map(({ listing }) => listing), ...withdrawnListings].map((one) => [one.id, one]),
  );
  if (held.size > 0)
    await holdAfterPrices(tx, [...held.values()], `Run undone by ${editor.name}`, editor, now);
  const audited = { run, ...(pastHalt !== null && { whileHalted: true }) };
  const reverted = [...taken.map((one) => movedBack(one, passed)), ...withdrawn.map(notSent)];
  await auditReverted(tx, reverted, audited, editor, now);
  const inProgress = taken.filter(({ isConnected }) => isConnected).length;
  return { done, inProgress, refused, runId: run };
}

export const PRICE_IN_PROGRESS = 'The price is on its way to the marketplace. Undo it after it is confirmed.';

/** The rows that restore the price, also of the listings that share it, or why there are none. */
function undoneOf(
  moved: MovedByRun,
  pricingInput: PricingInput | undefined,
  reason: string,
): ManualPriceMove[] | string {
  if (moved.isDeleted || pricingInput === undefined) return 'This listing was deleted.';
  if (!moved.isLatest) return 'The price has changed since that run.';
  const { floor, message } = validateManualPrice(pricingInput, moved.oldPrice);
  if (floor === null) return message;
  return manualMoves(pricingInput, moved.oldPrice, floor, reason);
}

/** These listings and those that share their prices. */
export function withMates(cases: Iterable<PricingInput>): number[] {
  return [...new Set([...cases].flatMap((one) => [one, ...one.mates]).map(({ listing }) => listing.id))];
}

/** Why one of these prices must not be changed; null if each may. */
export function stoppedBy(
  moves: readonly ManualPriceMove[],
  stopped: ReasonsOfBatch['stopped'],
): string | null {
  return moves.map(({ listing }) => stopped.get(listing.id)).find((why) => why !== undefined) ?? null;
}

/** Restored prices, once for each listing that shares one, and the refusals of the others. */
export function oncePerListing(
  undone: readonly ManualPriceMove[],
  refusals: readonly Refusal[],
): { readonly taken: readonly ManualPriceMove[]; readonly refused: readonly Refusal[] } {
  const taken = new Map<number, ManualPriceMove>();
  const differing = new Map<number, Refusal>();
  for (const one of undone) {
    const { id, sku } = one.listing;
    const other = taken.get(id);
    if (other !== undefined && other.move.newPrice !== one.move.newPrice) {
      const message = 'The listings that share this price would go back to different prices.';
      differing.set(id, { listingId: id, sku, message });
    }
    taken.set(id, one);
  }
  const left = [...taken.values()].filter(({ listing }) => !differing.has(listing.id));
  const refused = refusals.filter(({ listingId }) => !taken.has(listingId));
  return { taken: left, refused: [...refused, ...differing.values()] };
}

async function record(
  tx: Db,
  taken: readonly ManualPriceMove[],
  by: Pick<IntendedBy, 'runId' | 'pastHalt' | 'despiteReasons'>,
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
  readonly despiteReason?: string | undefined;
}

function movedBack(
  { move: { listingId, oldPrice, newPrice } }: ManualPriceMove,
  passed: ReasonsOfBatch['passed'],
): Reverted {
  return { listingId, from: oldPrice, to: newPrice, despiteReason: passed.get(listingId) };
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
    reverted.map(({ listingId, from, to, despiteReason }) => ({
      ...madeBy(editor, now),
      action: 'price.reverted',
      targetKind: 'listing',
      targetId: String(listingId),
      before: { price: decimalFromCents(from) },
      after: { price: decimalFromCents(to), ...audited, ...auditedReason(despiteReason) },
    })),
  );
  await notify(
    tx,
    'pricewright_listings',
    reverted.map(({ listingId }) => listingId),
  );
}
