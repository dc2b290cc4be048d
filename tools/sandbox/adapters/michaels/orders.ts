import type { FastifyInstance } from 'fastify';
import { dollars } from '#sandbox/adapters/money.ts';
import { queryList, queryNumber, queryText } from '#sandbox/adapters/query.ts';
import type { Market } from '#sandbox/world/market.ts';
import type { Order } from '#sandbox/world/orders.ts';
import { michaelsRefusal, SUCCESS } from './michaels-errors.ts';

const STATUS = { open: 'READY_TO_SHIP', shipped: 'COMPLETED', cancelled: 'CANCELLED' } as const;

/** Orders created within a period. Michaels documents no order fields: these are guesses. */
export function addOrders(app: FastifyInstance, market: Market): void {
  app.get('/order/query', { config: { operation: 'queryOrders' } }, async (request) => {
    const pageNumber = queryNumber(request, 'pageNumber', 1, 1_000_000);
    const pageSize = queryNumber(request, 'pageSize', 10, 200);
    const from = Number(queryText(request, 'startTime') ?? 0);
    const to = Number(queryText(request, 'endTime') ?? market.now());
    if (!(pageNumber >= 1) || !(pageSize >= 1) || !(from <= to)) throw michaelsRefusal(400);
    const numbers = new Set(queryList(request, 'orderNumberList'));
    const statuses = new Set(queryList(request, 'orderStatusList'));
    const isRising = queryText(request, 'isAsc') === 'true';
    const wanted = market
      .orders()
      .filter(
        (order) =>
          order.createdAt >= from &&
          order.createdAt <= to &&
          (numbers.size === 0 || numbers.has(numberOf(order))) &&
          (statuses.size === 0 || statuses.has(STATUS[order.status])),
      );
    const sorted = isRising ? wanted : wanted.toReversed();
    const page = sorted.slice((pageNumber - 1) * pageSize, pageNumber * pageSize);
    return { ...SUCCESS, data: { orders: page.map(orderView), pageNumber, pageSize, total: wanted.length } };
  });
}

function numberOf({ number }: Order): string {
  return `THP${String(number).padStart(12, '0')}`;
}

function orderView(order: Order) {
  const { status, createdAt, updatedAt, lines } = order;
  return {
    orderNumber: numberOf(order),
    orderStatus: STATUS[status],
    createdTime: createdAt,
    updatedTime: updatedAt,
    orderLines: lines.map(({ number, sku, itemId, title, quantity, unitPrice }) => ({
      orderItemId: `${numberOf(order)}-${number}`,
      sellerSkuNumber: sku,
      skuNumber: itemId,
      itemName: title,
      quantity,
      price: dollars(unitPrice),
      status: STATUS[status],
    })),
  };
}
