import type { z } from 'zod';
import type { Account, SaleLine } from '#connectors/connector.ts';
import { dedupeOrderLines } from '#connectors/dedupe-order-lines.ts';
import { isUnreadable, type UnreadableRow, unreadableRow } from '#connectors/passed-over.ts';
import { splitCents } from '#domain/sales/split-cents.ts';
import { type Cents, cents, type Instant, instant, MAX_CENTS } from '#domain/units.ts';
import { refundLinesOf } from './refund-line-pages.ts';
import type { ShopifyCalls } from './shopify-calls.ts';
import { pagesOf } from './shopify-pages.ts';
import { MORE_LINES, ORDERS } from './shopify-queries.ts';
import { type Line, MoreLines, NEVER_SENT, type Order, OrdersPage, RefundLine } from './shopify-responses.ts';

const ORDERS_A_PAGE = 25;
const LINES_A_PAGE = 100;
/** Refunded units that did not come back into stock. */
const LOST = 'NO_RESTOCK';

/**
 * Order lines that changed after that time. Test orders are not sales. Units that were canceled before they were
 * sent are not sold; all other refunded units are, and what was given back for them is booked as money.
 */
export async function* readSales(
  calls: ShopifyCalls,
  account: Account,
  since: Instant,
  signal: AbortSignal,
): AsyncGenerator<readonly (SaleLine | UnreadableRow)[]> {
  const changed = `updated_at:>='${new Date(since).toISOString()}'`;
  const pages = pagesOf<Order | UnreadableRow>(ORDERS_A_PAGE, async (first, after) => {
    const call = { operation: 'orders', query: ORDERS, variables: { first, after, changed } };
    return (await calls.ask(account, call, OrdersPage, 'list of orders', signal)).data.orders;
  });
  for await (const orders of pages) {
    const lines: (SaleLine | UnreadableRow)[] = [];
    for (const order of orders) {
      if (isUnreadable(order)) lines.push(order);
      if (isUnreadable(order) || order.test) continue;
      const ofOrder = [...order.lineItems.nodes];
      for await (const more of furtherLines(calls, account, order, signal)) ofOrder.push(...more);
      const refunded: Refunded[] = [];
      for (const refund of order.refunds) {
        const at = refund.createdAt ?? order.createdAt;
        const ofRefund = await refundLinesOf(calls, account, refund, RefundLine, signal);
        refunded.push(...ofRefund.map((line) => ({ ...line, at })));
      }
      lines.push(...salesOf(order, withoutRepeats(ofOrder), refunded));
    }
    if (lines.length > 0) yield dedupeOrderLines(lines);
  }
}

/** The lines of a long order that are not on the page of orders. */
async function* furtherLines(
  calls: ShopifyCalls,
  account: Account,
  { id, lineItems: { pageInfo } }: Order,
  signal: AbortSignal,
): AsyncGenerator<readonly Line[]> {
  if (!pageInfo.hasNextPage || !pageInfo.endCursor) return;
  const start = pageInfo.endCursor;
  yield* pagesOf<Line>(LINES_A_PAGE, async (_, after) => {
    const call = { operation: 'lines', query: MORE_LINES, variables: { id, after: after ?? start } };
    const { data } = await calls.ask(account, call, MoreLines, 'list of order lines', signal);
    return data.order?.lineItems ?? { pageInfo: { hasNextPage: false }, nodes: [] };
  });
}

/** A line that a later page repeats has no place of its own in the order. */
function withoutRepeats(lines: readonly Line[]): Line[] {
  return [...new Map(lines.map((line) => [JSON.stringify(line), line])).values()];
}

/** A line of a refund with the moment of the refund. */
type Refunded = z.output<typeof RefundLine> & { readonly at: number };

/**
 * The lines of an order. Shipping is charged for the order, and split by price over those that are shipped: a tip is a line
 * too, and a gift card needs no parcel.
 */
function salesOf(
  order: Order,
  lines: readonly Line[],
  refunded: readonly Refunded[],
): (SaleLine | UnreadableRow)[] {
  const foreign = lines.map(currencyOf).find((currency) => currency !== 'USD');
  if (foreign !== undefined) return [unreadableRow(order.id, 'shopMoney.currencyCode', foreign)];
  const sold = lines.map((line) => soldOf(refunded, line));
  const isAnyShipped = lines.some(
    ({ requiresShipping }, at) => requiresShipping !== false && isPaid(sold[at]),
  );
  const shipping = splitCents(
    shippingPaid(order),
    sold.map(({ revenue }, at) =>
      isAnyShipped && lines[at]?.requiresShipping === false ? cents(0) : revenue,
    ),
  );
  return lines.flatMap((line, index) => {
    const own = sold[index];
    return own === undefined ? [] : saleOf(order, line, index + 1, own, shipping[index] ?? cents(0));
  });
}

function isPaid(sold: Sold | undefined): boolean {
  return sold !== undefined && sold.revenue > 0;
}

function currencyOf({ priceAfterAllDiscountsBeforeTaxesSet }: Line): string {
  return priceAfterAllDiscountsBeforeTaxesSet.shopMoney.currencyCode;
}

/** What the buyer paid for shipping: what went back of it is booked as money. */
function shippingPaid({ currentShippingPriceSet, totalRefundedShippingSet }: Order): Cents {
  const refunded = totalRefundedShippingSet?.shopMoney;
  const back = refunded?.currencyCode === 'USD' ? refunded.amount : 0;
  return sumOf([currentShippingPriceSet.shopMoney.amount, back]);
}

/** What was sold of a line. */
interface Sold {
  readonly quantity: number;
  readonly revenue: Cents;
  readonly restocked: SaleLine['restocked'];
}

/** The units that are neither refunded nor removed, and those that were refunded after they were sent. */
function soldOf(refunded: readonly Refunded[], line: Line): Sold {
  const returned = refunded.filter(
    ({ lineItem, restockType, subtotalSet }) =>
      lineItem.id === line.id && restockType !== NEVER_SENT && subtotalSet.shopMoney.currencyCode === 'USD',
  );
  const back = returned.filter(({ restockType, quantity }) => restockType !== LOST && quantity > 0);
  const unitsOf = (some: typeof returned): number => some.reduce((sum, { quantity }) => sum + quantity, 0);
  const times = back.map(({ at }) => at);
  return {
    quantity: line.currentQuantity + unitsOf(returned),
    revenue: sumOf([
      line.priceAfterAllDiscountsBeforeTaxesSet.shopMoney.amount,
      ...returned.map(({ subtotalSet }) => subtotalSet.shopMoney.amount),
    ]),
    restocked: back.length === 0 ? undefined : { units: unitsOf(back), at: instant(Math.max(...times)) },
  };
}

function sumOf(amounts: readonly number[]): Cents {
  return cents(
    Math.min(
      MAX_CENTS,
      amounts.reduce((sum, amount) => sum + amount, 0),
    ),
  );
}

function saleOf(
  { id, createdAt, cancelledAt }: Order,
  line: Line,
  lineNumber: number,
  { quantity: sold, revenue, restocked }: Sold,
  shippingRevenue: Cents,
): SaleLine[] {
  // Everything of the line was canceled or removed from the order.
  const isOff = cancelledAt != null || sold === 0;
  const quantity = sold || line.quantity;
  if (quantity === 0) return [];
  return [
    {
      externalId: line.id,
      orderRef: id,
      lineNumber,
      sku: line.sku?.trim() || null,
      itemId: line.variant?.id ?? null,
      soldAt: instant(createdAt),
      quantity,
      unitPrice: cents(Math.round(revenue / quantity)),
      revenue,
      shippingRevenue,
      fees: null,
      isCancelled: isOff,
      ...(restocked !== undefined && { restocked }),
    },
  ];
}
