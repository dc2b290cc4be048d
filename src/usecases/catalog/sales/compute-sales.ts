import type { Db } from '#db/client.ts';
import {
  type ComputedParts,
  finishDueSales,
  finishSalesWithMoney,
  type OrderMoneyRow,
  readDueSales,
  readOrderMoney,
  readOrders,
  type SaleRow,
  takeDueSales,
  takeSalesWithMoney,
  writeSaleFigures,
} from '#db/queries/catalog/due-sales.ts';
import {
  replaceSettledFees,
  requestFeesAfterWrongEstimates,
} from '#db/queries/marketplaces/money/fee-facts.ts';
import type { FeeFact } from '#domain/fees/fee-fact.ts';
import { settledFees } from '#domain/fees/settled-fee.ts';
import { groupBy } from '#domain/group-by.ts';
import { shareMoney } from '#domain/money/share-money.ts';
import { estimateFees, isShippingTakenBack, totalFees } from '#domain/sales/sale-fees.ts';
import { saleFigures } from '#domain/sales/sale-figures.ts';
import { settleSale } from '#domain/sales/settle-sale.ts';
import { type Cents, type Instant, MAX_CENTS } from '#domain/units.ts';
import { rejectAgain } from '#usecases/catalog/fees/reject-again.ts';
import { watchSettledJumps } from '#usecases/catalog/fees/watch-jumps.ts';
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
async function recordSettledFees(tx: Db, computed: readonly ComputedSale[], now: Instant): Promise<void> {
  const added = await replaceSettledFees(
    tx,
    computed.map(({ figures }) => figures.id),
    computed.flatMap(({ listingId, figures, settledFees: facts }) =>
      facts.map((fact) => ({ ...fact, listingId, saleId: figures.id })),
    ),
  );
  await requestFeesAfterWrongEstimates(tx, [...new Set(computed.flatMap(listingOfWrong))]);
  if (added.length === 0) return;
  await rejectAgain(tx, added, now);
  await watchSettledJumps(tx, added, now);
}

/** The listing of a sale whose commission was not as estimated. */
function listingOfWrong({ listingId, parts }: ComputedSale): number[] {
  const commission = parts.find(({ kind }) => kind === 'commission');
  const { told = null, estimated = null } = commission ?? {};
  return told === null || estimated === null || told === estimated ? [] : [listingId];
}

/** The figures of a sale, and the fees that were taken of it. */
interface ComputedSale extends ComputedParts {
  readonly settledFees: readonly FeeFact[];
}

/** The figures of these sales and of all others of their orders, whose fees are split over them. */
async function figuresOf(tx: Db, sales: readonly SaleRow[]): Promise<ComputedSale[]> {
  const orders = await wholeOrders(tx, sales);
  const ids = new Set(orders.flat().map(({ listingId }) => listingId));
  const facts = await loadSaleFacts(tx, [...ids]);
  const booked = await moneyOf(tx, orders);
  return orders.flatMap((lines) => computeOrder(lines, facts, booked.get(lines) ?? []));
}

type Order = readonly SaleRow[];

/** What was booked for each of these orders: for a line of it, else for the order. */
async function moneyOf(db: Db, orders: readonly Order[]): Promise<ReadonlyMap<Order, OrderMoneyRow[]>> {
  const byRef = new Map<string, Order>();
  const byLine = new Map<string, Order>();
  const orderRefs = new Set<string>();
  for (const order of orders) {
    for (const { marketplace, orderRef, externalId } of order) {
      if (externalId !== null) byLine.set(`${marketplace} ${externalId}`, order);
      if (orderRef === null) continue;
      byRef.set(`${marketplace} ${orderRef}`, order);
      orderRefs.add(orderRef);
    }
  }
  const lineRefs = orders.flat().flatMap(({ externalId }) => externalId ?? []);
  const found = new Map<Order, OrderMoneyRow[]>();
  for (const event of await readOrderMoney(db, [...orderRefs], lineRefs)) {
    const { marketplace, orderRef, lineRef } = event;
    const order = byLine.get(`${marketplace} ${lineRef}`) ?? byRef.get(`${marketplace} ${orderRef}`);
    if (order !== undefined) found.set(order, [...(found.get(order) ?? []), event]);
  }
  return found;
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
function computeOrder(lines: Order, facts: SaleFacts, booked: readonly OrderMoneyRow[]): ComputedSale[] {
  const [first] = lines;
  if (first === undefined) return [];
  const { marketplace } = first;
  const sold = lines.map((line) => soldLine(line, facts));
  const estimates = estimateFees(
    marketplace,
    sold.map((line) => ({
      ...line,
      shipping: line.shipping ?? (0 as Cents),
      fees: line.shipping === null ? null : line.fees,
      scheduledFees: line.shipping === null ? null : line.scheduledFees,
    })),
  );
  const shares = shareMoney(
    // Not by an estimate of the shipping: it is made again and again.
    sold.map((line) => ({
      ...line,
      paid: (line.revenue + (line.isShippingEstimate ? 0 : (line.shipping ?? 0))) as Cents,
      isShippingUnknown: line.isShippingEstimate,
    })),
    booked,
  );
  const isOrderFeeReported = booked.some(({ kind }) => kind === 'per_order');
  return sold.map((line, index) => {
    const { id, listingId, quantity, revenue, shipping, isShippingEstimate, unitCost, unitShippingCost } =
      line;
    const estimate = estimates[index] ?? { chargeback: 0 as Cents };
    const settled = settleSale({
      ...line,
      shippingRevenue: shipping,
      estimate,
      isOrderFeeReported,
      orderFees: line.feesTold,
      shares: shares[index] ?? [],
      restocked: restockedGoods(line),
    });
    const { fees, adjustment, ads, label, refunded, isRevenueReported } = settled;
    const shippingRevenue = isRevenueReported ? (shipping ?? (0 as Cents)) : shipping;
    return {
      listingId,
      parts: settled.parts,
      refunds: settled.refunds,
      settledFees: settledFees({
        ...line,
        shipping: isShippingEstimate ? null : shipping,
        shares: shares[index] ?? [],
      }),
      figures: {
        id,
        shippingRevenue: shipping,
        isShippingEstimate,
        feesEstimated: totalFees(estimate),
        fees,
        unitCost,
        ...saleFigures({
          quantity,
          revenue,
          shippingRevenue,
          fees,
          unitCost,
          unitShippingCost,
          told: { adjustment, ads, label, refunds: refunded ?? (0 as Cents) },
        }),
        adjustment: adjustment === 0 ? null : adjustment,
        ads,
        refunds: refunded,
        moneyState: settled.state,
        isAbout: settled.isAbout,
        isPending: settled.isPending,
      },
    };
  });
}

/** Goods that came back: without a known cost the profit is unknown anyway. */
function restockedGoods({ quantity, restocked, restockedAt, productCost }: ReturnType<typeof soldLine>) {
  const value = (productCost ?? 0) * Math.min(quantity, restocked);
  return restockedAt === null || value > MAX_CENTS ? null : { value: value as Cents, at: restockedAt };
}

/** A line with its costs and fees at the moment of the sale, and with what the buyer paid for shipping. */
function soldLine(line: SaleRow, facts: SaleFacts) {
  const terms = facts.termsOf(line);
  const isTakenBack = isShippingTakenBack(line.marketplace, terms.fulfillmentType);
  const estimate = isTakenBack ? 0 : terms.shippingCharge * line.quantity;
  return {
    ...line,
    ...terms,
    shipping: line.shippingRevenue ?? (estimate <= MAX_CENTS ? (estimate as Cents) : null),
    isShippingEstimate: line.isShippingEstimate || line.shippingRevenue === null,
  };
}
