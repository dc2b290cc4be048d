import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Cents, cents } from '#domain/units.ts';
import { dollars } from '#sandbox/adapters/money.ts';
import { queryNumber, queryText } from '#sandbox/adapters/query.ts';
import type { Market } from '#sandbox/world/market.ts';
import type { Order, OrderLine } from '#sandbox/world/orders.ts';
import { type BuyerPlace, salesTaxOn } from '#sandbox/world/truth/sales-tax.ts';
import { refuseEmpty, walmartRefusal } from './walmart-errors.ts';

const DAY = 86_400_000;
const STATUS = { open: 'Acknowledged', shipped: 'Shipped', cancelled: 'Cancelled' } as const;
/** The ship node types; a request returns orders of one of them. */
const NODES: Readonly<Record<string, boolean>> = { SellerFulfilled: false, WFSFulfilled: true };

/** Paginated orders; the cursor is the whole query of the next page. */
export function addOrders(app: FastifyInstance, market: Market): void {
  app.get('/v3/orders', { config: { operation: 'getAllOrders' } }, async (request) => {
    const limit = queryNumber(request, 'limit', 100, 200);
    const from = queryNumber(request, 'soIndex', 0, 100_000_000);
    const node = queryText(request, 'shipNodeType') ?? 'SellerFulfilled';
    if (!(limit >= 1) || Number.isNaN(from)) throw walmartRefusal(400, 'The limit is not valid.', 'limit');
    if (NODES[node] === undefined && node !== '3PLFulfilled') {
      throw walmartRefusal(400, 'The ship node type is not valid.', 'shipNodeType');
    }
    const wanted = wantedOf(market, request, node);
    refuseEmpty(market, 'getAllOrders', wanted.length);
    const page = wanted.slice(from, from + limit);
    const hasMore = from + limit < wanted.length;
    return {
      list: {
        meta: {
          totalCount: wanted.length,
          limit,
          ...(hasMore ? { nextCursor: cursorOf(request, node, limit, from + limit) } : {}),
        },
        elements: { order: page.map((order) => orderView(order, node)) },
      },
    };
  });
}

function wantedOf(market: Market, request: FastifyRequest, node: string): Order[] {
  const created = momentOf(request, 'createdStartDate') ?? market.now() - 180 * DAY;
  const createdEnd = momentOf(request, 'createdEndDate') ?? market.now();
  const changed = momentOf(request, 'lastModifiedStartDate') ?? 0;
  const changedEnd = momentOf(request, 'lastModifiedEndDate') ?? market.now();
  const sku = queryText(request, 'sku');
  return market.orders().filter((order) => {
    const isTheirs = order.lines.some(({ fulfillmentType }) => fulfillmentType === 'FBA/WFS');
    const isNamed = sku === null || order.lines.some((line) => line.sku === sku);
    const isInTime = order.createdAt >= created && order.createdAt <= createdEnd;
    const isChanged = order.updatedAt >= changed && order.updatedAt <= changedEnd;
    return NODES[node] === isTheirs && isNamed && isInTime && isChanged;
  });
}

function momentOf(request: FastifyRequest, name: string): number | null {
  const text = queryText(request, name);
  if (text === null) return null;
  const moment = Date.parse(text);
  if (Number.isNaN(moment)) throw walmartRefusal(400, `${name} is not a date.`, name);
  return moment;
}

const CURSOR_PARAMETERS = [
  'createdStartDate',
  'createdEndDate',
  'lastModifiedStartDate',
  'lastModifiedEndDate',
  'sku',
];

function cursorOf(request: FastifyRequest, node: string, limit: number, from: number): string {
  const query = new URLSearchParams({ limit: String(limit), hasMoreElements: 'true', soIndex: String(from) });
  query.set('shipNodeType', node);
  for (const name of CURSOR_PARAMETERS) {
    const value = queryText(request, name);
    if (value !== null) query.set(name, value);
  }
  return `?${query}`;
}

/** Walmart's number of a purchase order. */
export function purchaseOrderIdOf({ number }: Order): string {
  return `1${String(number).padStart(12, '0')}`;
}

/** The number that the customer sees. */
export function customerOrderIdOf({ number }: Order): string {
  return `2000${String(number).padStart(11, '0')}`;
}

function orderView(order: Order, node: string) {
  const { createdAt, place } = order;
  return {
    purchaseOrderId: purchaseOrderIdOf(order),
    customerOrderId: customerOrderIdOf(order),
    customerEmailId: 'shopper@relay.example.com',
    orderType: 'REGULAR',
    orderDate: createdAt,
    shippingInfo: {
      phone: '0000000000',
      estimatedDeliveryDate: createdAt + 5 * DAY,
      estimatedShipDate: createdAt + DAY,
      methodCode: 'Standard',
      postalAddress: {
        name: 'Sandbox Shopper',
        address1: '1 Example Street',
        city: place.city,
        state: place.state,
        postalCode: place.postalCode,
        country: 'USA',
        addressType: 'RESIDENTIAL',
      },
    },
    orderLines: { orderLine: order.lines.map((line) => lineView(order, line)) },
    shipNode: { type: node },
  };
}

function lineView({ status, updatedAt, createdAt, place }: Order, line: OrderLine) {
  const quantity = { unitOfMeasurement: 'EACH', amount: String(line.quantity) };
  const tracking = {
    shipDateTime: updatedAt,
    carrierName: { carrier: 'UPS' },
    methodCode: 'Standard',
    trackingNumber: '1Z0000000000000000',
  };
  const { unitPrice, shipping } = line;
  return {
    lineNumber: String(line.number),
    item: { productName: line.title, sku: line.sku, condition: 'New' },
    charges: {
      charge: [
        chargeOf('PRODUCT', 'ItemPrice', cents(unitPrice * line.quantity), place),
        ...(shipping === 0 ? [] : [chargeOf('SHIPPING', 'Shipping', shipping, place)]),
      ],
    },
    orderLineQuantity: quantity,
    statusDate: updatedAt,
    orderLineStatuses: {
      orderLineStatus: [
        {
          status: STATUS[status],
          statusQuantity: quantity,
          ...(status === 'shipped' ? { trackingInfo: tracking } : {}),
          ...(status === 'cancelled' ? { cancellationReason: 'CUSTOMER_REQUESTED_SELLER_TO_CANCEL' } : {}),
        },
      ],
    },
    fulfillment: { fulfillmentOption: 'S2H', shipMethod: 'STANDARD', pickUpDateTime: createdAt + 5 * DAY },
  };
}

function chargeOf(chargeType: string, chargeName: string, amount: Cents, place: BuyerPlace) {
  const tax = {
    taxName: 'Tax1',
    taxAmount: { currency: 'USD', amount: dollars(cents(salesTaxOn(amount, place))) },
  };
  return { chargeType, chargeName, chargeAmount: { currency: 'USD', amount: dollars(amount) }, tax };
}
