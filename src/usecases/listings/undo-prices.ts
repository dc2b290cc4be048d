import type { Db } from '#db/client.ts';
import { notify } from '#db/listen.ts';
import { insertAudits } from '#db/queries/audit.ts';
import { lockListings, settlePrices } from '#db/queries/listing-acts.ts';
import { growActRun, insertActRun, type MovedByRun, readMovedByRun } from '#db/queries/price-rows.ts';
import { movePrices, type PriceMove } from '#db/queries/record-rows.ts';
import { decimalFromCents } from '#domain/decimal.ts';
import type { Bps, Instant } from '#domain/units.ts';
import { type Editor, madeBy } from '#usecases/editor.ts';
import { loadCases, type PricingCase } from '#usecases/pricing/load-cases.ts';
import { loadShop } from '#usecases/pricing/shop.ts';
import type { ActResult, Refusal } from './act-deps.ts';
import { holdAfterPrices, judgePersonsPrice, personsMove } from './persons-price.ts';
import { refuseHalted } from './priced-listing.ts';

/** A batch of prices taken back, and the run that holds all batches of one undo. */
export interface UndoneBatch extends ActResult {
  readonly runId: number | null;
}

interface Undone {
  readonly listing: PricingCase['listing'];
  readonly move: PriceMove;
  readonly margin: Bps | null;
}

/**
 * Takes back what a run did to the prices of some listings, in one transaction, each as a new checked price that is then
 * held. One whose price has moved since, or whose old price is not allowed today, is left out and named.
 * @param undoesRunId the run that is undone
 * @param runId the run of the batches before; null for the first
 * @throws AppError conflict when everything is halted
 */
export async function undoPrices(
  tx: Db,
  ids: readonly number[],
  undoesRunId: number,
  runId: number | null,
  editor: Editor,
  now: Instant,
): Promise<UndoneBatch> {
  await lockListings(tx, ids);
  const shop = await loadShop(tx, now);
  refuseHalted(shop.facts.halted);
  const moved = await readMovedByRun(tx, undoesRunId, ids);
  const cases = new Map((await loadCases(tx, shop, ids)).map((one) => [one.listing.id, one]));
  const reason = `Back to the price before run ${undoesRunId}, undone by ${editor.name}.`;
  const taken: Undone[] = [];
  const refused: Refusal[] = [];
  for (const one of moved) {
    const judged = judge(one, cases.get(one.id), reason);
    if (typeof judged === 'string') refused.push({ listingId: one.id, sku: one.sku, message: judged });
    else taken.push(judged);
  }
  // Nothing to show for it: a second try at the same run makes no empty run.
  if (taken.length === 0 && runId === null) return { done: 0, refused, runId };
  const counts = { evaluated: moved.length, changed: taken.length, kept: refused.length, blocked: 0 };
  const run = runId ?? (await insertActRun(tx, editor.name, counts, now, undoesRunId));
  if (runId !== null) await growActRun(tx, run, counts, now);
  if (taken.length > 0) await record(tx, taken, run, editor, now);
  return { done: taken.length, refused, runId: run };
}

/** The row that takes the price back, or why there is none. */
function judge(moved: MovedByRun, pricingCase: PricingCase | undefined, reason: string): Undone | string {
  if (moved.isDeleted || pricingCase === undefined) return 'This listing was deleted meanwhile.';
  if (!moved.isLatest) return 'Its price has changed since that run.';
  const { floor, message } = judgePersonsPrice(pricingCase, moved.oldPrice);
  if (floor === null) return message;
  return { listing: pricingCase.listing, ...personsMove(pricingCase, moved.oldPrice, floor, reason) };
}

async function record(
  tx: Db,
  taken: readonly Undone[],
  runId: number,
  editor: Editor,
  now: Instant,
): Promise<void> {
  const moves = taken.map(({ move }) => move);
  const actor = { id: editor.id, name: editor.name };
  await movePrices(tx, moves, { source: 'undo', at: now, runId, actor });
  await settlePrices(
    tx,
    taken.map(({ listing: { id }, margin }) => ({ listingId: id, margin })),
    now,
  );
  const held = taken.map(({ listing }) => listing);
  await holdAfterPrices(tx, held, `Run undone by ${editor.name}`, editor, now);
  await insertAudits(
    tx,
    moves.map(({ listingId, oldPrice, newPrice }) => ({
      ...madeBy(editor, now),
      action: 'price.reverted',
      targetKind: 'listing',
      targetId: String(listingId),
      before: { price: decimalFromCents(oldPrice) },
      after: { price: decimalFromCents(newPrice), run: runId },
    })),
  );
  await notify(
    tx,
    'pricewright_listings',
    held.map(({ id }) => id),
  );
}
