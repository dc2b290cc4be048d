import type { Account, SaleLine } from '#connectors/connector.ts';
import { dedupeOrderLines } from '#connectors/dedupe-order-lines.ts';
import { isUnreadable, type UnreadableRow, unreadableRow } from '#connectors/passed-over.ts';
import { splitCents } from '#domain/sales/split-cents.ts';
import { type Cents, cents, type Instant, instant } from '#domain/units.ts';
import type { ShopifyCalls } from './shopify-calls.ts';
import { pagesOf } from './shopify-pages.ts';
import { MORE_LINES, ORDERS } from './shopify-queries.ts';
import { type Line, MoreLines, type Order, OrdersPage } from './shopify-responses.ts';

const ORDERS_A_PAGE = 25;
const LINES_A_PAGE = 100;
/** Refunded units that did not come back into stock. */
const LOST = 'NO_RESTOCK';

/**
 * Order lines that changed after that time. Test orders are not sales. Units that were refunded and came back are not
 * sold; those that did not come back are, and what was given back for them is told as money.
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
      lines.push(...salesOf(order, withoutRepeats(ofOrder)));
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

/** The lines of an order. Shipping is charged for the order, and split over them by price. */
function salesOf(order: Order, lines: readonly Line[]): (SaleLine | UnreadableRow)[] {
  const foreign = lines.map(currencyOf).find((currency) => currency !== 'USD');
  if (foreign !== undefined) return [unreadableRow(order.id, 'shopMoney.currencyCode', foreign)];
  const shipping = splitCents(
    order.currentShippingPriceSet.shopMoney.amount,
    lines.map((line) => line.priceAfterAllDiscountsBeforeTaxesSet.shopMoney.amount),
  );
  return lines.flatMap((line, index) => saleOf(order, line, index + 1, shipping[index] ?? cents(0)));
}

function currencyOf({ priceAfterAllDiscountsBeforeTaxesSet }: Line): string {
  return priceAfterAllDiscountsBeforeTaxesSet.shopMoney.currencyCode;
}

function saleOf(
  { id, createdAt, cancelledAt, refunds }: Order,
  line: Line,
  lineNumber: number,
  shippingRevenue: Cents,
): SaleLine[] {
  const { amount } = line.priceAfterAllDiscountsBeforeTaxesSet.shopMoney;
  const lost = refunds.filter(
    ({ lineItem, restockType, subtotalSet }) =>
      lineItem.id === line.id && restockType === LOST && subtotalSet.shopMoney.currencyCode === 'USD',
  );
  const sold = line.currentQuantity + lost.reduce((sum, refund) => sum + refund.quantity, 0);
  // Everything of the line came back or was removed from the order.
  const isOff = cancelledAt != null || sold === 0;
  const quantity = sold || line.quantity;
  if (quantity === 0) return [];
  const revenue = cents(
    amount + lost.reduce((sum, { subtotalSet }) => sum + subtotalSet.shopMoney.amount, 0),
  );
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
    },
  ];
}
