import type { Db } from '#db/client.ts';
import { notify } from '#db/listen.ts';
import { lockListings } from '#db/queries/catalog/listing-acts.ts';
import { insertAudits } from '#db/queries/identity/audit.ts';
import {
  type IntendedBy,
  readInProgressOfRun,
  type WithdrawnPrice,
  withdrawOfRun,
} from '#db/queries/marketplaces/price-intents.ts';
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
import { holdAfterPrices, judgePersonsPrice, personsMove } from './manual-price.ts';
import { goPastHalt } from './priced-listing.ts';
import { type PersonsTakenPrice, settleTaken } from './settle-prices.ts';

/** The run that is undone. */
export interface UndoneRun {
  readonly undoesRunId: number;
  /** The halt in spite of which it was confirmed; null for none. */
  readonly pastHalt: Instant | null;
}

/** A batch of prices taken back, and the run that holds all batches of one undo. */
export interface UndoneBatch extends BulkActionResult {
  readonly runId: number | null;
}

/** A price that goes back, with the listing it is of. */
export interface Undone extends PersonsTakenPrice {
  readonly listing: PricingInput['listing'];
}

/**
 * Takes back what a run did to the prices of some listings, in one transaction, each as a new checked price that is then
 * held. One whose price has moved since, or whose old price is not allowed today, is left out and named. What is only
 * queued is not sent any more; what is on its way cannot be caught up with, and is named.
 * @param runId the run of the batches before; null for the first
 * @throws AppError halted under a halt that was not confirmed
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
  const shop = await loadPricingContext(tx, now);
  const withdrawn = await withdrawOfRun(tx, undoesRunId, ids, now);
  const moved = await readMovedByRun(tx, undoesRunId, ids);
  const cases = new Map((await loadPricingInputs(tx, shop, ids)).map((one) => [one.listing.id, one]));
  const reason = `Reverted to the price before run ${undoesRunId} by ${editor.name}.`;
  const taken: Undone[] = [];
  const underWay = await readInProgressOfRun(tx, undoesRunId, ids);
  const refused: Refusal[] = underWay.map(({ id, sku }) => ({ listingId: id, sku, message: UNDER_WAY }));
  for (const one of moved) {
    const judged = judge(one, cases.get(one.id), reason);
    if (typeof judged === 'string') refused.push({ listingId: one.id, sku: one.sku, message: judged });
    else taken.push(judged);
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

/** What a batch of an undo takes back, and what it leaves out. */
export interface UndoneWork {
  readonly taken: readonly Undone[];
  /** Prices that were queued, and are not sent any more. */
  readonly withdrawn: readonly WithdrawnPrice[];
  /** Their listings: the engine would queue the same price again at its next look. */
  readonly withdrawnListings: readonly PricingInput['listing'][];
  readonly refused: readonly Refusal[];
  /** The one run that is undone; null for a set of changes. */
  readonly undoesRunId: number | null;
  /** Of the batches before; null for the first. */
  readonly runId: number | null;
  /** The halt in force, which was confirmed; null for none. */
  readonly pastHalt: Instant | null;
}

/** Writes what was judged: the run, the prices, holds, and the audit log. */
export async function recordUndone(
  tx: Db,
  work: UndoneWork,
  editor: Editor,
  now: Instant,
): Promise<UndoneBatch> {
  const { taken, withdrawn, withdrawnListings, refused, undoesRunId, runId, pastHalt } = work;
  // A listing counts once, by what becomes of the price that buyers see.
  const judged = new Set([
    ...taken.map(({ listing }) => listing.id),
    ...refused.map(({ listingId }) => listingId),
  ]);
  const done = taken.length + withdrawn.filter(({ id }) => !judged.has(id)).length;
  // Nothing to show for it: a second try at the same run makes no empty run.
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
  await tellReverted(tx, [...taken.map(movedBack), ...withdrawn.map(notSent)], audited, editor, now);
  const onItsWay = taken.filter(({ isConnected }) => isConnected).length;
  return { done, onItsWay, refused, runId: run };
}

export const UNDER_WAY = 'The price is on its way to the marketplace. Undo it after it is confirmed.';

/** The row that takes the price back, or why there is none. */
function judge(moved: MovedByRun, pricingCase: PricingInput | undefined, reason: string): Undone | string {
  if (moved.isDeleted || pricingCase === undefined) return 'This listing was deleted.';
  if (!moved.isLatest) return 'The price has changed since that run.';
  const { floor, message } = judgePersonsPrice(pricingCase, moved.oldPrice);
  if (floor === null) return message;
  const { listing, isConnected } = pricingCase;
  return { listing, isConnected, ...personsMove(pricingCase, moved.oldPrice, floor, reason) };
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
  await settleTaken(tx, taken, now);
}

/** From where to where the price of a listing went back. */
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

async function tellReverted(
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
