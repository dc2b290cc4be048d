import type { Account, SaleLine } from '#connectors/connector.ts';
import { ConnectorError } from '#connectors/connector-error.ts';
import { dedupeOrderLines } from '#connectors/dedupe-order-lines.ts';
import { parseResponse } from '#connectors/parse-response.ts';
import { isUnreadable, type UnreadableRow, unreadableRow } from '#connectors/passed-over.ts';
import { type Cents, cents, type Instant, instant } from '#domain/units.ts';
import { NAME, type WalmartCalls } from './walmart-calls.ts';
import { type Order, type OrderLine, OrdersPage } from './walmart-responses.ts';

/** The fulfillment types. Without naming them Walmart returns the first only. */
const SHIPPERS = ['SellerFulfilled', 'WFSFulfilled', '3PLFulfilled'];
const ORDERS_A_PAGE = 200;
const MAX_PAGES = 1_000;
const DAY = 86_400_000;
/** An order up to this age may still change. */
const MAY_CHANGE = 30 * DAY;
/** Walmart returns no older ones. */
const OLDEST = 179 * DAY;

/** Order lines that changed after that time, of every fulfillment type. */
export async function* readSales(
  calls: WalmartCalls,
  account: Account,
  since: Instant,
  signal: AbortSignal,
): AsyncGenerator<readonly (SaleLine | UnreadableRow)[]> {
  for (const shipper of SHIPPERS) {
    for await (const orders of orderPages(calls, account, since, shipper, signal)) {
      const lines = dedupeOrderLines(
        orders.flatMap((order) => (isUnreadable(order) ? [order] : linesOf(order))),
      );
      if (lines.length > 0) yield lines;
    }
  }
}

async function* orderPages(
  calls: WalmartCalls,
  account: Account,
  since: Instant,
  shipper: string,
  signal: AbortSignal,
): AsyncGenerator<readonly (Order | UnreadableRow)[]> {
  const oldest = Math.max(since - MAY_CHANGE, calls.now() - OLDEST);
  const first = new URLSearchParams({
    createdStartDate: new Date(oldest).toISOString(),
    lastModifiedStartDate: new Date(Math.max(since, oldest)).toISOString(),
    limit: String(ORDERS_A_PAGE),
    shipNodeType: shipper,
    replacementInfo: 'true',
  });
  const requested = new Set<string>();
  let query = `?${first}`;
  while (!requested.has(query)) {
    if (requested.size >= MAX_PAGES)
      throw new ConnectorError('too_large', `${NAME} lists orders without an end.`);
    requested.add(query);
    const call = {
      method: 'GET',
      path: `/v3/orders${query}`,
      operation: 'orders',
      alsoAnswers: [404],
    } as const;
    const { list } = await readOrders(calls, account, call, signal);
    if (list.elements.length === 0) return;
    yield list.elements;
    const next = list.meta?.nextCursor ?? null;
    if (next === null) return;
    query = nextQuery(next, shipper);
  }
}

const NO_ORDERS = { status: 200, body: { list: {} } };

async function readOrders(
  calls: WalmartCalls,
  account: Account,
  call: Parameters<WalmartCalls['ask']>[1],
  signal: AbortSignal,
) {
  const answer = await calls.ask(account, call, signal);
  // Walmart returns "not found" where there are no orders.
  return parseResponse(NAME, OrdersPage, answer.status === 404 ? NO_ORDERS : answer, 'list of orders');
}

/** The complete query of the next page, as Walmart returned it. */
function nextQuery(cursor: string, shipper: string): string {
  const query = cursor.startsWith('?') ? cursor.slice(1) : `nextCursor=${encodeURIComponent(cursor)}`;
  if (!/^[\x21\x22\x24-\x7e]*$/.test(query))
    throw new ConnectorError('unreadable', `${NAME} names no next page.`);
  return query.includes('shipNodeType=') ? `?${query}` : `?${query}&shipNodeType=${shipper}`;
}

/** A replacement is free: it is not a second sale. */
function isSale({ orderType }: Order): boolean {
  return orderType?.toUpperCase() !== 'REPLACEMENT';
}

function linesOf(order: Order): (SaleLine | UnreadableRow)[] {
  const { purchaseOrderId, orderDate, orderLines } = order;
  if (!isSale(order)) return [];
  const foreign = currencyIn(order);
  if (foreign !== null) return [unreadableRow(purchaseOrderId, 'chargeAmount.currency', foreign)];
  return orderLines.orderLine.map((line, index) => {
    const ordered = line.orderLineQuantity.amount;
    const kept = Math.max(0, ordered - cancelledOf(line));
    const quantity = kept === 0 ? ordered : kept;
    const ofKept = (charged: Cents): Cents => cents(Math.round((charged * quantity) / ordered));
    const revenue = ofKept(chargedFor(line, 'PRODUCT'));
    return {
      externalId: `${purchaseOrderId}:${line.lineNumber}`,
      orderRef: purchaseOrderId,
      lineNumber: index + 1,
      sku: line.item?.sku?.trim() || null,
      itemId: null,
      soldAt: instant(orderDate),
      quantity,
      unitPrice: cents(Math.round(revenue / quantity)),
      revenue,
      shippingRevenue: ofKept(chargedFor(line, 'SHIPPING')),
      fees: null,
      isCancelled: kept === 0,
    };
  });
}

/** Canceled units of a line; a status without a quantity counts for all of them. */
function cancelledOf({ orderLineStatuses, orderLineQuantity }: OrderLine): number {
  return orderLineStatuses
    .filter(({ status }) => status === 'Cancelled')
    .reduce((sum, { statusQuantity }) => sum + (statusQuantity?.amount ?? orderLineQuantity.amount), 0);
}

/** A currency other than US dollars of what the buyer was charged; null for none. */
function currencyIn({ orderLines }: Order): string | null {
  const charges = orderLines.orderLine.flatMap((line) => line.charges);
  const counted = charges.filter(({ chargeType }) => chargeType === 'PRODUCT' || chargeType === 'SHIPPING');
  const foreign = counted.find(({ chargeAmount: { currency } }) => currency && currency !== 'USD');
  return foreign?.chargeAmount.currency ?? null;
}

/** What the buyer was charged for the products of a line, or for shipping them, without tax. */
function chargedFor({ charges }: OrderLine, what: 'PRODUCT' | 'SHIPPING'): Cents {
  let sum = 0;
  for (const { chargeType, chargeAmount } of charges) {
    if (chargeType === what) sum += chargeAmount.amount;
  }
  return cents(sum);
}
