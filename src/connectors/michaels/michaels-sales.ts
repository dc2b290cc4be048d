import type { Account, SaleLine } from '#connectors/connector.ts';
import { ConnectorError } from '#connectors/connector-error.ts';
import { dedupeOrderLines } from '#connectors/dedupe-order-lines.ts';
import { isUnreadable, type UnreadableRow } from '#connectors/passed-over.ts';
import { cents, type Instant, instant } from '#domain/units.ts';
import { type MichaelsCalls, NAME } from './michaels-calls.ts';
import { type Order, OrdersPage } from './michaels-responses.ts';

const ORDERS_A_PAGE = 200;
const MAX_PAGES = 500;

/** Order lines created after that time. Michaels does not report which ones changed. */
export async function* readSales(
  calls: MichaelsCalls,
  account: Account,
  since: Instant,
  signal: AbortSignal,
): AsyncGenerator<readonly (SaleLine | UnreadableRow)[]> {
  const endTime = calls.now();
  const seen = new Set<string>();
  for (let page = 1; page <= MAX_PAGES; page++) {
    const query = new URLSearchParams({
      startTime: String(since),
      endTime: String(endTime),
      isAsc: 'true',
      pageNumber: String(page),
      pageSize: String(ORDERS_A_PAGE),
      simpleMode: 'false',
    });
    const call = { method: 'GET', path: `/order/query?${query}`, operation: 'orders' } as const;
    const { data: orders } = await calls.read(account, call, OrdersPage, 'list of orders', signal);
    const fresh = orders.filter((order) => !seen.has(numberOf(order)));
    // An empty or repeated page is past the last one.
    if (fresh.length === 0) return;
    for (const order of fresh) seen.add(numberOf(order));
    yield dedupeOrderLines(
      fresh.flatMap((order): readonly (SaleLine | UnreadableRow)[] =>
        isUnreadable(order) ? [order] : linesOf(order),
      ),
    );
    if (orders.length < ORDERS_A_PAGE) return;
  }
  throw new ConnectorError('too_large', `${NAME} has more orders than can be synced at once.`);
}

function numberOf(order: Order | UnreadableRow): string {
  return isUnreadable(order) ? order.what : order.orderNumber;
}

function linesOf({ orderNumber, status, createdAt, lines }: Order): SaleLine[] {
  return lines.map((line, index) => ({
    externalId: `${orderNumber}:${line.orderItemId}`,
    orderRef: orderNumber,
    lineNumber: index + 1,
    sku: line.sellerSkuNumber?.trim() || null,
    itemId: line.skuNumber ?? null,
    soldAt: instant(createdAt),
    quantity: line.quantity,
    unitPrice: line.price,
    revenue: cents(line.price * line.quantity),
    // Orders do not report what was paid for shipping.
    shippingRevenue: null,
    fees: null,
    isCancelled: [status, line.status].some((said) => said?.toUpperCase() === 'CANCELLED'),
  }));
}
