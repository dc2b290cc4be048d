import type { Db } from '#db/client.ts';
import {
  finishDueSales,
  finishSalesWithMoney,
  readDueSales,
  type SaleRow,
  takeDueSales,
  takeSalesWithMoney,
  writeSaleFigures,
} from '#db/queries/catalog/due-sales.ts';
import {
  replaceSettledFees,
  requestFeesAfterWrongEstimates,
} from '#db/queries/marketplaces/money/fee-facts.ts';
import type { Instant } from '#domain/units.ts';
import { rejectAgain } from '#usecases/catalog/fees/reject-again.ts';
import { watchSettledJumps } from '#usecases/catalog/fees/watch-jumps.ts';
import { type CalculatedSale, calculateOrders, loadOrders } from './calculate-orders.ts';
import { loadSaleFacts } from './sale-facts.ts';

/** Sales and listings per transaction: it keeps what changes a cost of one of them waiting. */
const MAX_SALES = 1_000;
const MAX_LISTINGS = 200;

/**
 * Calculates the figures of one batch of due sales: fees, costs and profit at the moment of each sale.
 * @param tx a transaction: the sales stay due unless it commits
 * @returns whether any were due
 */
export async function computeDueSales(tx: Db, now: Instant): Promise<boolean> {
  const hasMoney = await computeSalesWithMoney(tx, now);
  return (await computeSalesOfListings(tx, now)) || hasMoney;
}

/** Those of which something was booked: single sales, and the others of their orders. */
async function computeSalesWithMoney(tx: Db, now: Instant): Promise<boolean> {
  const sales = await takeSalesWithMoney(tx, MAX_SALES);
  if (sales.length === 0) return false;
  const computed = await figuresOf(tx, sales);
  await writeSaleFigures(tx, computed, now);
  const ids = sales.map(({ id }) => id);
  await finishSalesWithMoney(tx, ids);
  await recordSettledFees(tx, computed, now);
  return true;
}

async function computeSalesOfListings(tx: Db, now: Instant): Promise<boolean> {
  const due = await takeDueSales(tx, MAX_LISTINGS);
  if (due.length === 0) return false;
  const sales = await readDueSales(tx, due, MAX_SALES);
  const computed = await figuresOf(tx, sales);
  await writeSaleFigures(tx, computed, now);
  const last = sales.length === MAX_SALES ? sales[MAX_SALES - 1] : undefined;
  if (last === undefined) {
    await finishDueSales(
      tx,
      due.map(({ listingId }) => listingId),
      null,
    );
  } else {
    // Complete up to the listing of the last sale, which may have more.
    const reached = due.findIndex(({ listingId }) => listingId === last.listingId);
    const done = due.slice(0, reached).map(({ listingId }) => listingId);
    await finishDueSales(tx, done, { listingId: last.listingId, since: last.soldAt, afterId: last.id });
  }
  await recordSettledFees(tx, computed, now);
  return true;
}

/** What was taken of these sales, and where the marketplace has to be asked again. Last: it makes sales of these listings due again. */
async function recordSettledFees(tx: Db, computed: readonly CalculatedSale[], now: Instant): Promise<void> {
  const added = await replaceSettledFees(
    tx,
    computed.map(({ figures }) => figures.id),
    computed.flatMap(({ listingId, figures, settledFees: facts }) =>
      facts.map((fact) => ({ ...fact, listingId, saleId: figures.id })),
    ),
    now,
  );
  await requestFeesAfterWrongEstimates(tx, [...new Set(computed.flatMap(listingOfWrong))]);
  if (added.length === 0) return;
  await rejectAgain(tx, added, now);
  await watchSettledJumps(tx, added, now);
}

/** The listing of a sale whose commission was not as estimated. */
function listingOfWrong({ listingId, parts }: CalculatedSale): number[] {
  const commission = parts.find(({ kind }) => kind === 'commission');
  const { told = null, estimated = null } = commission ?? {};
  return told === null || estimated === null || told === estimated ? [] : [listingId];
}

/** The figures of these sales and of all others of their orders, whose fees are split over them. */
async function figuresOf(tx: Db, sales: readonly SaleRow[]): Promise<CalculatedSale[]> {
  const loaded = await loadOrders(tx, sales);
  return calculateOrders(loaded, await loadSaleFacts(tx, loaded.listingIds));
}
