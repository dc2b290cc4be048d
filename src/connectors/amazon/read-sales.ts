import { z } from 'zod';
import type { SaleLine } from '#connectors/connector.ts';
import { ConnectorError } from '#connectors/connector-error.ts';
import { dedupeOrderLines } from '#connectors/dedupe-order-lines.ts';
import { isUnreadable, tolerant, type UnreadableRow } from '#connectors/passed-over.ts';
import { type Cents, cents, type Instant, instant } from '#domain/units.ts';
import { type AmazonCalls, pathOf } from './amazon-calls.ts';
import { Dollars } from './amazon-money.ts';
import { Id, NextToken, read, Text } from './amazon-responses.ts';
import type { AmazonShop } from './amazon-shop.ts';
import type { SalesProgress } from './sales-progress.ts';

const PATH = '/orders/2026-01-01/orders';
const MAX_PAGES = 10_000;

const Moment = z.iso.datetime({ offset: true }).transform((text) => instant(Date.parse(text)));

/** A discount is reported without a sign, or with one. */
const Discount = z
  .object({ currencyCode: z.literal('USD'), amount: z.union([z.number(), z.string()]) })
  .transform(
    ({ currencyCode, amount }): z.input<typeof Dollars> => ({
      currencyCode,
      amount: String(amount).replace(/^-/, ''),
    }),
  )
  .pipe(Dollars);

const Breakdown = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ITEM'), subtotal: Dollars }),
  z.object({ type: z.literal('SHIPPING'), subtotal: Dollars }),
  z.object({
    type: z.literal('DISCOUNT'),
    subtotal: Discount,
    detailedBreakdowns: z
      .array(z.object({ subtype: z.string().nullish(), value: Discount.nullish() }))
      .nullish(),
  }),
]);

const Item = z.object({
  orderItemId: Id,
  quantityOrdered: z.int().min(0).max(1_000_000),
  product: z.object({
    asin: Text.nullish(),
    sellerSku: Text.nullish(),
    price: z.object({ unitPrice: Dollars.nullish() }).nullish(),
  }),
  proceeds: z
    .object({
      breakdowns: z
        .array(z.looseObject({ type: z.string() }))
        .nullish()
        .transform((all) => (all ?? []).filter(({ type }) => ['ITEM', 'SHIPPING', 'DISCOUNT'].includes(type)))
        .pipe(z.array(Breakdown)),
    })
    .nullish(),
  cancellation: z.object({ cancellationExecution: z.looseObject({}).nullish() }).nullish(),
  fulfillment: z
    .object({ quantityFulfilled: z.int().min(0).nullish(), quantityUnfulfilled: z.int().min(0).nullish() })
    .nullish(),
});
type Item = z.output<typeof Item>;

const Order = z.object({
  orderId: Id,
  createdTime: Moment,
  salesChannel: z.object({ channelName: z.string(), marketplaceId: z.string().nullish() }),
  fulfillment: z.object({ fulfillmentStatus: z.string() }).nullish(),
  orderItems: z.array(Item),
});
type Order = z.output<typeof Order>;

const OrdersPage = z.object({
  orders: z.array(tolerant(Order, 'orderId')),
  pagination: z.object({ nextToken: NextToken }).nullish(),
  lastUpdatedBefore: Moment.nullish(),
});
type OrdersPage = z.output<typeof OrdersPage>;

/** Amazon reports changes two minutes late; more if it does not say up to when. */
const LATE = 300_000;

/**
 * Order lines that changed after that time. What Amazon has not priced yet comes with a later change. An
 * interrupted sync is continued by the next one, and what was read to the end is not read again.
 */
export async function* readSales(
  calls: AmazonCalls,
  shop: AmazonShop,
  progress: SalesProgress,
  since: Instant,
  signal: AbortSignal,
): AsyncGenerator<readonly (SaleLine | UnreadableRow)[]> {
  const seen = new Set<string>();
  const startedAt = calls.now();
  const begun = progress.begun(shop, since, startedAt);
  const from = begun?.since ?? progress.start(shop, since, startedAt);
  let until = begun?.until ?? instant(startedAt - LATE);
  let token = begun?.token ?? null;
  for (;;) {
    const page = await readPage(calls, shop, from, token, signal).catch((error: unknown) => {
      // A position that Amazon no longer knows: the next sync starts over.
      if (error instanceof ConnectorError && error.fault === 'refused') progress.forget(shop);
      throw error;
    });
    if (token === null) until = page.lastUpdatedBefore ?? until;
    const lines = dedupeOrderLines(
      page.orders.flatMap((order): readonly (SaleLine | UnreadableRow)[] =>
        isUnreadable(order) ? [order] : linesOf(order, shop),
      ),
    );
    if (lines.length > 0) yield lines;
    token = page.pagination?.nextToken ?? null;
    if (token === null || page.orders.length === 0) break;
    if (seen.has(token) || seen.size >= MAX_PAGES) {
      progress.forget(shop);
      throw new ConnectorError(
        'unreadable',
        'Unexpected response from Amazon: the list of orders did not end.',
      );
    }
    seen.add(token);
    progress.goOn(shop, { since: from, until, token, at: calls.now() });
  }
  progress.end(shop, from, until);
}

async function readPage(
  calls: AmazonCalls,
  shop: AmazonShop,
  from: Instant,
  token: string | null,
  signal: AbortSignal,
): Promise<OrdersPage> {
  const path = pathOf(PATH, {
    lastUpdatedAfter: new Date(from).toISOString(),
    marketplaceIds: shop.marketplaceId,
    maxResultsPerPage: '100',
    includedData: ['PROCEEDS', 'FULFILLMENT', 'CANCELLATION'],
    paginationToken: token,
  });
  const answer = await calls.ask(shop, { method: 'GET', path, operation: 'orders' }, signal);
  return read(OrdersPage, answer.body, 'list of orders');
}

/** Nothing that was sold elsewhere and only shipped by Amazon. */
function linesOf(order: Order, { marketplaceId }: AmazonShop): SaleLine[] {
  const { salesChannel } = order;
  const isHere = (salesChannel.marketplaceId ?? marketplaceId) === marketplaceId;
  if (salesChannel.channelName !== 'AMAZON' || !isHere) return [];
  return order.orderItems.flatMap((item, index) => lineOf(item, order, index + 1) ?? []);
}

function lineOf(item: Item, order: Order, lineNumber: number): SaleLine | null {
  const isCancelled = order.fulfillment?.fulfillmentStatus === 'CANCELLED' || isCancelledAlone(item);
  const revenue = revenueOf(item);
  // A pending order has no prices yet.
  if (revenue === null && !isCancelled) return null;
  const quantity = Math.max(1, item.quantityOrdered);
  return {
    externalId: `${order.orderId}:${item.orderItemId}`,
    orderRef: order.orderId,
    lineNumber,
    sku: item.product.sellerSku?.trim() || null,
    itemId: item.product.asin?.trim() || null,
    soldAt: order.createdTime,
    quantity,
    unitPrice: item.product.price?.unitPrice ?? cents(Math.round((revenue ?? 0) / quantity)),
    revenue: revenue ?? cents(0),
    shippingRevenue: shippingOf(item),
    fees: null,
    isCancelled,
  };
}

/** One line of an active order: nothing of it was sent, and nothing will be. */
function isCancelledAlone({ quantityOrdered, cancellation, fulfillment }: Item): boolean {
  if (quantityOrdered === 0) return true;
  const left = (fulfillment?.quantityFulfilled ?? 0) + (fulfillment?.quantityUnfulfilled ?? 0);
  return cancellation?.cancellationExecution != null && fulfillment != null && left === 0;
}

/** What was paid for the units, less discounts; null while it is not available. */
function revenueOf({ proceeds, product, quantityOrdered }: Item): Cents | null {
  const parts = proceeds?.breakdowns ?? [];
  const items = parts.filter(({ type }) => type === 'ITEM');
  const unitPrice = product.price?.unitPrice;
  if (items.length === 0) return unitPrice == null ? null : cents(unitPrice * quantityOrdered);
  const paid = items.reduce((sum, { subtotal }) => sum + subtotal, 0);
  return cents(Math.max(0, paid - parts.reduce((sum, part) => sum + discountOn('ITEM', part), 0)));
}

/** What was paid for shipping, less discounts on it; null while proceeds are not available. */
function shippingOf({ proceeds }: Item): Cents | null {
  const parts = proceeds?.breakdowns ?? [];
  if (parts.every(({ type }) => type === 'DISCOUNT')) return null;
  const charged = parts.reduce((sum, { type, subtotal }) => sum + (type === 'SHIPPING' ? subtotal : 0), 0);
  return cents(Math.max(0, charged - parts.reduce((sum, part) => sum + discountOn('SHIPPING', part), 0)));
}

/** The part of a discount on the units or on shipping. One that is not broken down is on the units. */
function discountOn(what: 'ITEM' | 'SHIPPING', part: z.output<typeof Breakdown>): number {
  if (part.type !== 'DISCOUNT') return 0;
  const details = part.detailedBreakdowns ?? [];
  if (details.length === 0) return what === 'ITEM' ? part.subtotal : 0;
  return details.filter(({ subtype }) => subtype === what).reduce((sum, { value }) => sum + (value ?? 0), 0);
}
