import type { Db } from '#db/client.ts';
import {
  type ComputedSale,
  finishDueSales,
  readDueSales,
  readOrders,
  type SaleRow,
  takeDueSales,
  writeSaleFigures,
} from '#db/queries/catalog/due-sales.ts';
import { groupBy } from '#domain/group-by.ts';
import { estimateFees, withFulfillment } from '#domain/sales/sale-fees.ts';
import { saleFigures } from '#domain/sales/sale-figures.ts';
import { type Cents, type Instant, MAX_CENTS } from '#domain/units.ts';
import { loadSaleFacts, type SaleFacts } from './sale-facts.ts';

/** Sales and listings per transaction: it keeps what changes a cost of one of them waiting. */
const MAX_SALES = 1_000;
const MAX_LISTINGS = 200;

/**
 * Calculates the figures of one batch of due sales: fees, costs and profit at the moment of each sale.
 * @param tx a transaction: the sales stay due unless it commits
 * @returns whether any were due
 */
export async function computeDueSales(tx: Db, now: Instant): Promise<boolean> {
  const due = await takeDueSales(tx, MAX_LISTINGS);
  if (due.length === 0) return false;
  const sales = await readDueSales(tx, due, MAX_SALES);
  await writeSaleFigures(tx, await figuresOf(tx, sales), now);
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
  return true;
}

/** The figures of these sales and of all others of their orders, whose fees are split over them. */
async function figuresOf(tx: Db, sales: readonly SaleRow[]): Promise<ComputedSale[]> {
  const orders = await wholeOrders(tx, sales);
  const ids = new Set(orders.flat().map(({ listingId }) => listingId));
  const facts = await loadSaleFacts(tx, [...ids]);
  return orders.flatMap((lines) => computeOrder(lines, facts));
}

/** Sales by order; one without an order is its own. */
async function wholeOrders(db: Db, sales: readonly SaleRow[]): Promise<(readonly SaleRow[])[]> {
  const alone = sales.filter(({ orderRef }) => orderRef === null);
  const refs = new Set(sales.flatMap((sale) => (sale.orderRef === null ? [] : [sale.orderRef])));
  const orderOf = ({ marketplace, orderRef }: SaleRow) => `${marketplace} ${orderRef}`;
  const asked = new Set(sales.map(orderOf));
  const lines = groupBy(await readOrders(db, [...refs]), orderOf);
  const orders = [...lines].filter(([key]) => asked.has(key)).map(([, order]) => order.toSorted(byLine));
  return [...orders, ...alone.map((sale) => [sale])];
}

function byLine(one: SaleRow, other: SaleRow): number {
  return (one.lineNumber ?? 0) - (other.lineNumber ?? 0) || one.id - other.id;
}

/** The figures of the lines of one order. */
function computeOrder(lines: readonly SaleRow[], facts: SaleFacts): ComputedSale[] {
  const [first] = lines;
  if (first === undefined) return [];
  const terms = lines.map((line) => facts.termsOf(line));
  const sold = lines.map((line, index) => {
    const { fulfillmentType, shippingCharge, fees, scheduledFees, fulfillmentFee } = terms[
      index
    ] as (typeof terms)[number];
    const estimate = fulfillmentType === 'FBM' ? shippingCharge * line.quantity : 0;
    const shipping = line.shippingRevenue ?? (estimate <= MAX_CENTS ? (estimate as Cents) : null);
    return { ...line, fulfillmentType, fees, scheduledFees, fulfillmentFee, shipping };
  });
  const estimates = estimateFees(
    first.marketplace,
    sold.map((line) => ({
      ...line,
      shipping: line.shipping ?? (0 as Cents),
      fees: line.shipping === null ? null : line.fees,
      scheduledFees: line.shipping === null ? null : line.scheduledFees,
    })),
  );
  return sold.map((line, index) => {
    const { unitCost, unitShippingCost } = terms[index] as (typeof terms)[number];
    const isShippingEstimate = line.isShippingEstimate || line.shippingRevenue === null;
    const feesEstimated = estimates[index] ?? null;
    const parts = { ...line, shipping: line.shipping ?? (0 as Cents) };
    const told = line.feesTold === null ? null : withFulfillment(first.marketplace, line.feesTold, parts);
    const fees = told === null ? feesEstimated : told.fees;
    const isPartEstimated = isShippingEstimate || told?.isPartEstimated;
    const toldState = isPartEstimated ? ('partly_told' as const) : ('told' as const);
    const { quantity, revenue, shipping } = line;
    return {
      id: line.id,
      shippingRevenue: shipping,
      isShippingEstimate,
      feesEstimated,
      fees,
      unitCost,
      ...saleFigures({ quantity, revenue, shippingRevenue: shipping, fees, unitCost, unitShippingCost }),
      moneyState: told === null ? ('estimated' as const) : toldState,
    };
  });
}
