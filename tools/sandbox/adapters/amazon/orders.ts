import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Cents, cents } from '#domain/units.ts';
import { dollarText } from '#sandbox/adapters/money.ts';
import { pathText, queryList, queryNumber, queryText } from '#sandbox/adapters/query.ts';
import type { Market } from '#sandbox/world/market.ts';
import type { Order, OrderLine } from '#sandbox/world/orders.ts';
import { MARKETPLACE_ID } from './amazon-auth.ts';
import { amazonRefusal } from './amazon-errors.ts';

const STATUS = { open: 'UNSHIPPED', shipped: 'SHIPPED', cancelled: 'CANCELLED' } as const;

/** The Orders API, 2026-01-01. */
export function addOrders(app: FastifyInstance, market: Market): void {
  const path = '/orders/2026-01-01/orders';
  app.get(path, { config: { operation: 'searchOrders' } }, async (request) => search(market, request));
  app.get(`${path}/:orderId`, { config: { operation: 'getOrder' } }, async (request) => {
    const order = market.orders().find((one) => orderIdOf(one) === pathText(request, 'orderId'));
    if (order === undefined) throw amazonRefusal(404);
    return { order: orderView(order, new Set(queryList(request, 'includedData'))) };
  });
}

function search(market: Market, request: FastifyRequest) {
  const created = momentOf(request, 'createdAfter');
  const updated = momentOf(request, 'lastUpdatedAfter');
  const size = queryNumber(request, 'maxResultsPerPage', 100, 100);
  const from = queryNumber(request, 'paginationToken', 0, 999_999_999);
  if (created === null && updated === null) {
    throw amazonRefusal(400, 'Either createdAfter or lastUpdatedAfter must be given.');
  }
  if ((created !== null && updated !== null) || !(size >= 1) || Number.isNaN(from)) throw amazonRefusal(400);
  // The API lags by two minutes.
  const latest = market.now() - 2 * 60_000;
  const createdBefore = momentOf(request, 'createdBefore') ?? latest;
  const updatedBefore = momentOf(request, 'lastUpdatedBefore') ?? latest;
  const included = new Set(queryList(request, 'includedData'));
  const wanted = market
    .orders()
    .filter((order) =>
      created !== null
        ? order.createdAt >= created && order.createdAt <= createdBefore
        : order.updatedAt >= (updated ?? 0) && order.updatedAt <= updatedBefore,
    );
  const hasMore = from + size < wanted.length;
  return {
    orders: wanted.slice(from, from + size).map((order) => orderView(order, included)),
    ...(hasMore ? { pagination: { nextToken: String(from + size) } } : {}),
    ...(created === null
      ? { lastUpdatedBefore: new Date(updatedBefore).toISOString() }
      : { createdBefore: new Date(createdBefore).toISOString() }),
  };
}

function momentOf(request: FastifyRequest, name: string): number | null {
  const text = queryText(request, name);
  if (text === null) return null;
  const moment = Date.parse(text);
  if (Number.isNaN(moment)) throw amazonRefusal(400, `Invalid '${name}' provided.`);
  return moment;
}

/** Amazon's number of an order. */
export function orderIdOf({ number }: Order): string {
  const digits = (value: number): string => String(value % 10_000_000).padStart(7, '0');
  return `113-${digits(number * 7_919)}-${digits(number)}`;
}

/** Amazon's number of an order line. */
export function orderItemIdOf(order: Order, { number }: OrderLine): string {
  return `${orderIdOf(order).replaceAll('-', '').slice(3)}${number}`;
}

/** An order with the requested parts; without any it has neither amounts nor a fulfillment status. */
function orderView(order: Order, included: ReadonlySet<string>) {
  const isTheirs = order.lines.some(({ fulfillmentType }) => fulfillmentType === 'FBA/WFS');
  return {
    orderId: orderIdOf(order),
    createdTime: new Date(order.createdAt).toISOString(),
    lastUpdatedTime: new Date(order.updatedAt).toISOString(),
    salesChannel: { channelName: 'AMAZON', marketplaceId: MARKETPLACE_ID, marketplaceName: 'Amazon.com' },
    ...(included.has('FULFILLMENT')
      ? {
          fulfillment: {
            fulfillmentStatus: STATUS[order.status],
            fulfilledBy: isTheirs ? 'AMAZON' : 'MERCHANT',
            fulfillmentServiceLevel: 'STANDARD',
          },
        }
      : {}),
    orderItems: order.lines.map((line) => lineView(order, line, included)),
  };
}

function lineView(order: Order, line: OrderLine, included: ReadonlySet<string>) {
  const { quantity, unitPrice, itemId, sku, title } = line;
  const isOff = order.status === 'cancelled';
  const execution = { cancelledBy: 'BUYER', cancelReason: 'ORDERED_BY_MISTAKE' };
  const fulfillment = {
    quantityFulfilled: order.status === 'shipped' ? quantity : 0,
    quantityUnfulfilled: order.status === 'open' ? quantity : 0,
  };
  return {
    orderItemId: orderItemIdOf(order, line),
    quantityOrdered: quantity,
    product: {
      asin: itemId,
      title,
      sellerSku: sku,
      condition: { conditionType: 'NEW' },
      price: { unitPrice: money(unitPrice) },
    },
    ...(included.has('PROCEEDS') && !isOff ? { proceeds: proceedsOf(line) } : {}),
    ...(included.has('CANCELLATION') && isOff ? { cancellation: { cancellationExecution: execution } } : {}),
    ...(included.has('FULFILLMENT') ? { fulfillment } : {}),
  };
}

function proceedsOf({ quantity, unitPrice, shipping }: OrderLine) {
  const goods = cents(unitPrice * quantity);
  return {
    proceedsTotal: money(cents(goods + shipping)),
    breakdowns: [
      { type: 'ITEM', subtotal: money(goods) },
      { type: 'SHIPPING', subtotal: money(shipping) },
    ],
  };
}

function money(amount: Cents) {
  return { amount: dollarText(amount), currencyCode: 'USD' };
}
