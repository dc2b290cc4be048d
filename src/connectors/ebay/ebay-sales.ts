import type { Account, SaleLine } from '#connectors/connector.ts';
import { ConnectorError } from '#connectors/connector-error.ts';
import { dedupeOrderLines } from '#connectors/dedupe-order-lines.ts';
import { parseResponse } from '#connectors/parse-response.ts';
import { isUnreadable, type UnreadableRow } from '#connectors/passed-over.ts';
import { splitCents } from '#domain/sales/split-cents.ts';
import { type Cents, cents, type Instant } from '#domain/units.ts';
import { credentialsOf, type EbayCalls, NAME } from './ebay-calls.ts';
import { type LineItem, type Order, OrderPage } from './ebay-responses.ts';

const PAGE_SIZE = 200;
const MAX_PAGES = 500;
const REFUNDED = 'FULLY_REFUNDED';
/** Refunded or never paid. */
const OFF = new Set([REFUNDED, 'FAILED']);

/** Order lines that were created or changed after that time; unpaid ones are included once they are paid. */
export async function* readSales(
  calls: EbayCalls,
  account: Account,
  since: Instant,
  signal: AbortSignal,
): AsyncGenerator<readonly (SaleLine | UnreadableRow)[]> {
  const { marketplaceId } = credentialsOf(account);
  // With an end, so that orders that change during the sync do not move others to another page.
  const span = `[${new Date(since).toISOString()}..${new Date(calls.now()).toISOString()}]`;
  for (let page = 0; page < MAX_PAGES; page++) {
    const query = new URLSearchParams({
      filter: `lastmodifieddate:${span}`,
      limit: String(PAGE_SIZE),
      offset: String(page * PAGE_SIZE),
    });
    const path = `/sell/fulfillment/v1/order?${query}`;
    const answer = await calls.asSeller(account, { method: 'GET', path, operation: 'orders' }, signal);
    const { orders, next } = parseResponse(NAME, OrderPage, answer, 'list of orders');
    const lines = dedupeOrderLines(
      orders.flatMap((order): readonly (SaleLine | UnreadableRow)[] =>
        isUnreadable(order) ? [order] : linesOf(order, marketplaceId),
      ),
    );
    if (lines.length > 0) yield lines;
    if (next == null || orders.length === 0) return;
  }
  throw new ConnectorError('too_large', `${NAME} has more orders than can be synced at once.`);
}

function linesOf(order: Order, marketplaceId: string): SaleLine[] {
  const isCanceled = order.cancelStatus?.cancelState === 'CANCELED';
  const isCancelled = isCanceled || OFF.has(order.orderPaymentStatus);
  const isRefunded = !isCanceled && order.orderPaymentStatus === REFUNDED;
  if (!isCancelled && order.orderPaymentStatus === 'PENDING') return [];
  const fees = feesOf(order);
  return order.lineItems.flatMap((line, index) => {
    const isOfOurs = (line.listingMarketplaceId ?? marketplaceId) === marketplaceId;
    if (!isOfOurs || paid(line).currency !== 'USD') return [];
    const revenue = paid(line).amount;
    return [
      {
        externalId: line.lineItemId,
        orderRef: order.orderId,
        lineNumber: index + 1,
        sku: line.sku?.trim() || null,
        itemId: line.legacyItemId ?? null,
        soldAt: order.creationDate,
        quantity: line.quantity,
        unitPrice: cents(Math.round(revenue / line.quantity)),
        revenue,
        shippingRevenue: shippingOf(line),
        fees: fees?.[index] ?? null,
        isCancelled,
        ...(isRefunded && { isRefunded }),
      },
    ];
  });
}

/** The fee of an order split over its lines, in proportion to their price; null when eBay has none in US dollars. */
function feesOf({ totalMarketplaceFee, lineItems }: Order): Cents[] | null {
  if (totalMarketplaceFee == null || totalMarketplaceFee.currency !== 'USD') return null;
  return splitCents(
    totalMarketplaceFee.amount,
    lineItems.map((line) => paid(line).amount),
  );
}

/** What was charged for shipping all units of a line, less a discount; null when eBay does not report it in US dollars. */
function shippingOf({ deliveryCost }: LineItem): Cents | null {
  const charged = deliveryCost?.shippingCost;
  if (charged?.currency !== 'USD') return null;
  return cents(Math.max(0, charged.amount - (deliveryCost?.discountAmount?.amount ?? 0)));
}

function paid({ discountedLineItemCost, lineItemCost }: LineItem) {
  return discountedLineItemCost ?? lineItemCost;
}
