import type { FastifyInstance, FastifyRequest } from 'fastify';
import { statusOfEmpty } from '#sandbox/adapters/list-pages.ts';
import { queryText } from '#sandbox/adapters/query.ts';
import type { Market } from '#sandbox/world/market.ts';
import type { Order, OrderLine } from '#sandbox/world/orders.ts';
import { USER_ID } from './etsy-auth.ts';
import { etsyRefusal } from './etsy-errors.ts';
import { money, pageOf, seconds, sumOf } from './etsy-pages.ts';
import { checkShop } from './shops.ts';

const API = '/v3/application/shops/:shopId';
const STATUS = { open: 'paid', shipped: 'completed', cancelled: 'canceled' } as const;
const BUYER_ID = 99_000_001;
/** The earliest time, in Unix seconds, that Etsy accepts. */
const EARLIEST = 946_684_800;

/** Receipts and their transactions. */
export function addReceipts(app: FastifyInstance, market: Market): void {
  app.get(`${API}/receipts`, { config: { operation: 'getShopReceipts' } }, async (request) => {
    checkShop(request, 403);
    const wanted = wantedOf(market, request);
    const status = statusOfEmpty(market, 'getShopReceipts', wanted.length);
    if (status !== null) throw etsyRefusal(status);
    return pageOf(request, wanted, receiptView);
  });
  app.get(
    `${API}/transactions`,
    { config: { operation: 'getShopReceiptTransactionsByShop' } },
    async (request) => {
      checkShop(request, 403);
      const lines = market.orders().flatMap((order) => order.lines.map((line) => ({ order, line })));
      return pageOf(request, lines.toReversed(), ({ order, line }) => transactionView(order, line));
    },
  );
}

function wantedOf(market: Market, request: FastifyRequest): Order[] {
  const [minCreated, maxCreated, minChanged, maxChanged] = [
    ...(['min_created', 'max_created', 'min_last_modified', 'max_last_modified'] as const),
  ].map((name) => secondOf(request, name));
  const isWithin = (moment: number, from: number | null | undefined, to: number | null | undefined) =>
    (from == null || seconds(moment) >= from) && (to == null || seconds(moment) <= to);
  const was = (name: string, holds: boolean): boolean => {
    const wanted = queryText(request, name);
    return wanted === null || wanted === String(holds);
  };
  const time = queryText(request, 'sort_on') === 'updated' ? 'updatedAt' : 'createdAt';
  const sign = /^(asc|up|ascending)$/.test(queryText(request, 'sort_order') ?? 'desc') ? 1 : -1;
  return market
    .orders()
    .filter(
      ({ createdAt, updatedAt, status }) =>
        isWithin(createdAt, minCreated, maxCreated) &&
        isWithin(updatedAt, minChanged, maxChanged) &&
        was('was_paid', true) &&
        was('was_shipped', status === 'shipped') &&
        was('was_canceled', status === 'cancelled'),
    )
    .toSorted((a, b) => (a[time] - b[time] || a.number - b.number) * sign);
}

/** A time in Unix seconds; null without one. @throws Refusal for an invalid one */
export function secondOf(request: FastifyRequest, name: string): number | null {
  const text = queryText(request, name);
  if (text === null) return null;
  const second = /^\d{1,11}$/.test(text) ? Number(text) : 0;
  if (second < EARLIEST) throw etsyRefusal(400, `${name} must be at least ${EARLIEST}`);
  return second;
}

/** Etsy's number of an order. */
export function receiptIdOf({ number }: Order): number {
  return 3_100_000_000 + number;
}

/** Etsy's number of an order line. */
export function transactionIdOf(order: Order, { number }: OrderLine): number {
  return receiptIdOf(order) * 10 + number;
}

function receiptView(order: Order) {
  const { status, createdAt, updatedAt, lines } = order;
  const goods = sumOf(lines, ({ unitPrice, quantity }) => unitPrice * quantity);
  const shipping = sumOf(lines, (line) => line.shipping);
  const [created, updated] = [seconds(createdAt), seconds(updatedAt)];
  const tax = sumOf(lines, (line) => line.tax);
  const shipment = { receipt_shipping_id: receiptIdOf(order), shipment_notification_timestamp: updated };
  return {
    receipt_id: receiptIdOf(order),
    receipt_type: 0,
    seller_user_id: USER_ID,
    buyer_user_id: BUYER_ID,
    name: 'Sandbox Shopper',
    country_iso: 'US',
    status: STATUS[status],
    payment_method: 'cc',
    is_paid: true,
    is_shipped: status === 'shipped',
    create_timestamp: created,
    created_timestamp: created,
    update_timestamp: updated,
    updated_timestamp: updated,
    is_gift: false,
    gift_message: '',
    gift_sender: '',
    grandtotal: money(goods + shipping + tax),
    total_price: money(goods),
    subtotal: money(goods),
    total_shipping_cost: money(shipping),
    total_tax_cost: money(tax),
    total_vat_cost: money(0),
    discount_amt: money(0),
    gift_wrap_price: money(0),
    shipments:
      status === 'shipped'
        ? [{ ...shipment, carrier_name: 'usps', tracking_code: '9400000000000000000000' }]
        : [],
    transactions: lines.map((line) => transactionView(order, line)),
    refunds:
      status === 'cancelled'
        ? [
            {
              amount: money(goods + shipping + tax),
              created_timestamp: updated,
              reason: 'buyer',
              note_from_issuer: null,
              status: null,
            },
          ]
        : [],
  };
}

function transactionView(order: Order, line: OrderLine) {
  const { title, quantity, itemId, keys, sku, unitPrice, shipping } = line;
  const created = seconds(order.createdAt);
  return {
    transaction_id: transactionIdOf(order, line),
    title,
    description: title,
    seller_user_id: USER_ID,
    buyer_user_id: BUYER_ID,
    receipt_id: receiptIdOf(order),
    create_timestamp: created,
    created_timestamp: created,
    paid_timestamp: created,
    shipped_timestamp: order.status === 'shipped' ? seconds(order.updatedAt) : null,
    quantity,
    is_digital: false,
    file_data: '',
    transaction_type: 'listing',
    sku,
    listing_id: Number(itemId),
    product_id: Number(keys.productId ?? 1),
    price: money(unitPrice),
    shipping_cost: money(shipping),
    variations: [],
    product_data: [],
    buyer_coupon: 0,
    shop_coupon: 0,
  };
}
