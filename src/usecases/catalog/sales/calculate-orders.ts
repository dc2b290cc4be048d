import type { Db } from '#db/client.ts';
import {
  type ComputedParts,
  type OrderMoneyRow,
  readOrderMoney,
  readOrders,
  type SaleRow,
} from '#db/queries/catalog/due-sales.ts';
import type { FeeFact } from '#domain/fees/fee-fact.ts';
import { settledFees } from '#domain/fees/settled-fee.ts';
import { groupBy } from '#domain/group-by.ts';
import { shareMoney } from '#domain/money/share-money.ts';
import { estimateFees, isShippingTakenBack, totalFees } from '#domain/sales/sale-fees.ts';
import { saleFigures } from '#domain/sales/sale-profit.ts';
import { settleSale } from '#domain/sales/settle-sale.ts';
import { type Cents, MAX_CENTS } from '#domain/units.ts';
import type { SaleFacts } from './sale-facts.ts';

type Order = readonly SaleRow[];

/** Orders with what was booked for each. */
export interface LoadedOrders {
  readonly orders: readonly Order[];
  readonly booked: ReadonlyMap<Order, readonly OrderMoneyRow[]>;
  /** Of all their lines. */
  readonly listingIds: readonly number[];
}

/** The figures of a sale, and the fees that were taken of it. */
export interface CalculatedSale extends ComputedParts {
  readonly settledFees: readonly FeeFact[];
}

/** The whole orders of these sales: fees of an order are split over its lines. */
export async function loadOrders(db: Db, sales: readonly SaleRow[]): Promise<LoadedOrders> {
  const orders = await wholeOrders(db, sales);
  const listingIds = [...new Set(orders.flat().map(({ listingId }) => listingId))];
  return { orders, booked: await moneyOf(db, orders), listingIds };
}

/** The figures of every line, from the costs and fees at the moment of its sale. */
export function calculateOrders({ orders, booked }: LoadedOrders, facts: SaleFacts): CalculatedSale[] {
  return orders.flatMap((lines) => calculateOrder(lines, facts, booked.get(lines) ?? []));
}

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
  const requested = new Set(sales.map(orderOf));
  const lines = groupBy(await readOrders(db, [...refs]), orderOf);
  const orders = [...lines].filter(([key]) => requested.has(key)).map(([, order]) => order.toSorted(byLine));
  return [...orders, ...alone.map((sale) => [sale])];
}

function byLine(one: SaleRow, other: SaleRow): number {
  return (one.lineNumber ?? 0) - (other.lineNumber ?? 0) || one.id - other.id;
}

/** The figures of the lines of one order. */
function calculateOrder(lines: Order, facts: SaleFacts, booked: readonly OrderMoneyRow[]): CalculatedSale[] {
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
