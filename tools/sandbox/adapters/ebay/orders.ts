import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Cents, cents } from '#domain/units.ts';
import type { AdapterContext } from '#sandbox/adapters/adapter.ts';
import { dollarText } from '#sandbox/adapters/money.ts';
import { pathText, queryList, queryText } from '#sandbox/adapters/query.ts';
import { CREDENTIALS } from '#sandbox/credentials.ts';
import type { Market } from '#sandbox/world/market.ts';
import type { Order, OrderLine } from '#sandbox/world/orders.ts';
import { totalOf } from '#sandbox/world/truth/fee-truth.ts';
import { ebayError } from './ebay-errors.ts';
import { pageOf } from './ebay-pages.ts';
import { MARKETPLACE_ID } from './inventory.ts';

const PATH = '/sell/fulfillment/v1/order';
/** The default period in milliseconds, for requests without a date filter. */
const DEFAULT_PERIOD = 90 * 86_400_000;
const TIMES: Readonly<Record<string, 'createdAt' | 'updatedAt'>> = {
  creationdate: 'createdAt',
  lastmodifieddate: 'updatedAt',
};

/** Orders, newest first. */
export function addOrders(app: FastifyInstance, market: Market, tools: AdapterContext): void {
  app.get(PATH, { config: { operation: 'getOrders' } }, async (request) => {
    const refuse = () => ebayError(30_910, 'API_FULFILLMENT', 'Invalid limit or offset.');
    const rules = { usual: 50, most: 200, byPages: false, refuse };
    const { part, total, limit, offset, href, links } = pageOf(
      request,
      tools.address(),
      wantedOf(market, request),
      rules,
    );
    return { href, total, limit, offset, ...links, orders: part.map(orderView) };
  });
  app.get(`${PATH}/:orderId`, { config: { operation: 'getOrder' } }, async (request) => {
    const order = market.orders().find((one) => orderIdOf(one) === pathText(request, 'orderId'));
    if (order === undefined) throw ebayError(32_100, 'API_FULFILLMENT', 'Invalid order ID', 404);
    return orderView(order);
  });
}

function wantedOf(market: Market, request: FastifyRequest): Order[] {
  const named = queryList(request, 'orderIds');
  const newestFirst = market.orders().toReversed();
  if (named.length > 0) return newestFirst.filter((order) => named.includes(orderIdOf(order)));
  const spans = spansIn(queryText(request, 'filter') ?? '', market.now());
  return newestFirst.filter((order) =>
    spans.every(({ time, from, to }) => order[time] >= from && order[time] <= to),
  );
}

/** "lastmodifieddate:[2026-03-01T00:00:00.000Z..2026-03-02T00:00:00.000Z],...": the end is optional. */
function spansIn(filter: string, now: number) {
  const spans: { readonly time: 'createdAt' | 'updatedAt'; readonly from: number; readonly to: number }[] =
    [];
  for (const part of filter.split(/[\]}]/)) {
    const [name = '', inside] = part.replace(/^,/, '').split(/:[[{]/);
    if (inside === undefined) continue;
    const time = TIMES[name];
    // Status filters are ignored: orders of all states are returned.
    if (time === undefined && name === 'orderfulfillmentstatus') continue;
    if (time === undefined) throw ebayError(30_700, 'API_FULFILLMENT', `Invalid filter name: ${name}`);
    const [from = '', to = ''] = inside.split('..');
    const span = { time, from: Date.parse(from), to: to === '' ? now : Date.parse(to) };
    if (Number.isNaN(span.from) || Number.isNaN(span.to)) {
      throw ebayError(30_810, 'API_FULFILLMENT', 'Invalid date format');
    }
    if (span.from > span.to) {
      throw ebayError(30_840, 'API_FULFILLMENT', 'Start date should be before end date');
    }
    spans.push(span);
  }
  return spans.length > 0 ? spans : [{ time: 'createdAt' as const, from: now - DEFAULT_PERIOD, to: now }];
}

/** eBay's number of an order. */
export function orderIdOf({ number }: Order): string {
  return `12-${String(number).padStart(5, '0')}-${String((number * 7_919) % 100_000).padStart(5, '0')}`;
}

/** eBay's number of an order line. */
export function lineItemIdOf(order: Order, { number }: OrderLine): string {
  return `100${String(order.number).padStart(9, '0')}${number}`;
}

function orderView(order: Order) {
  const { status, lines, createdAt, updatedAt } = order;
  const isOff = status === 'cancelled';
  const goods = sumOf(lines, ({ unitPrice, quantity }) => unitPrice * quantity);
  const delivery = sumOf(lines, ({ shipping }) => shipping);
  const tax = sumOf(lines, (line) => line.tax);
  return {
    orderId: orderIdOf(order),
    sellerId: CREDENTIALS.ebay.username,
    creationDate: new Date(createdAt).toISOString(),
    lastModifiedDate: new Date(updatedAt).toISOString(),
    orderFulfillmentStatus: status === 'shipped' ? 'FULFILLED' : 'NOT_STARTED',
    orderPaymentStatus: isOff ? 'FULLY_REFUNDED' : 'PAID',
    buyer: { username: 'sandbox-shopper' },
    cancelStatus: { cancelState: isOff ? 'CANCELED' : 'NONE_REQUESTED', cancelRequests: [] },
    pricingSummary: {
      priceSubtotal: money(goods),
      deliveryCost: money(delivery),
      total: money(cents(goods + delivery)),
    },
    totalFeeBasisAmount: money(cents(goods + delivery + tax)),
    totalMarketplaceFee: money(isOff ? cents(0) : sumOf(lines, ({ fees }) => totalOf(fees))),
    lineItems: lines.map((line) => lineView(order, line)),
  };
}

function lineView(order: Order, line: OrderLine) {
  const { itemId, sku, title, quantity, unitPrice, shipping } = line;
  const goods = cents(unitPrice * quantity);
  return {
    lineItemId: lineItemIdOf(order, line),
    legacyItemId: itemId,
    sku,
    title,
    quantity,
    soldFormat: 'FIXED_PRICE',
    listingMarketplaceId: MARKETPLACE_ID,
    purchaseMarketplaceId: MARKETPLACE_ID,
    lineItemFulfillmentStatus: order.status === 'shipped' ? 'FULFILLED' : 'NOT_STARTED',
    lineItemCost: money(goods),
    total: money(cents(goods + shipping)),
    deliveryCost: { shippingCost: money(shipping) },
    properties: { buyerProtection: true },
  };
}

function sumOf(lines: readonly OrderLine[], amountOf: (line: OrderLine) => number): Cents {
  return cents(lines.reduce((sum, line) => sum + amountOf(line), 0));
}

function money(amount: Cents) {
  return { value: dollarText(amount), currency: 'USD' };
}
