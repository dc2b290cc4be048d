import type { FastifyInstance } from 'fastify';
import { pathText } from '#sandbox/adapters/query.ts';
import type { Market } from '#sandbox/world/market.ts';
import type { Order, OrderLine } from '#sandbox/world/orders.ts';
import {
  type MoneyEntry,
  type MoneyEvent,
  type MoneyKind,
  sumOf,
} from '#sandbox/world/truth/money-events.ts';
import { USER_ID } from './etsy-auth.ts';
import { etsyRefusal } from './etsy-errors.ts';
import { money, pageOf, seconds } from './etsy-pages.ts';
import { receiptIdOf, secondOf, transactionIdOf } from './receipts.ts';
import { checkShop, SHOP_ID } from './shops.ts';

const API = '/v3/application/shops/:shopId';
/** The longest period of one request, in seconds. */
const LONGEST_SPAN = 31 * 86_400;
/** Etsy's fee for each sold item beyond the first, and for the first one. */
const RENEWAL = 20;

/** What Etsy booked, entry by entry, and the card payment of a receipt. */
export function addLedger(app: FastifyInstance, market: Market): void {
  const ledger = new Ledger(market);
  const path = `${API}/payment-account/ledger-entries`;
  app.get(path, { config: { operation: 'getShopPaymentAccountLedgerEntries' } }, async (request) => {
    checkShop(request, 403);
    const from = secondOf(request, 'min_created');
    const to = secondOf(request, 'max_created');
    if (from === null || to === null) throw etsyRefusal(400, 'min_created and max_created are required');
    if (to - from > LONGEST_SPAN) throw etsyRefusal(400, 'The period must not be longer than 31 days');
    const entries = ledger
      .entries()
      .filter(({ created_timestamp }) => created_timestamp >= from && created_timestamp <= to);
    return pageOf(request, entries.toReversed(), (entry) => entry);
  });
  const payments = `${API}/receipts/:receiptId/payments`;
  app.get(payments, { config: { operation: 'getShopPaymentByReceiptId' } }, async (request) => {
    checkShop(request, 403);
    const wanted = pathText(request, 'receiptId');
    const order = market.orders().find((one) => String(receiptIdOf(one)) === wanted);
    if (order === undefined) throw etsyRefusal(404);
    return { count: 1, results: [paymentView(order, market)] };
  });
}

interface Row {
  readonly type: string;
  readonly amount: number;
  readonly referenceType: 'transaction' | 'receipt' | 'listing' | 'shop';
}

/** The ledger's names of what a sale books; the goods, shipping and tax of the buyer are one amount. */
const ROWS: Readonly<Partial<Record<MoneyKind, readonly [type: string, reference: Row['referenceType']]>>> = {
  tax_withheld: ['sales_tax', 'receipt'],
  commission: ['transaction', 'transaction'],
  commission_on_shipping: ['shipping_transaction', 'receipt'],
  payment: ['PAYMENT_PROCESSING_FEE', 'receipt'],
  ad: ['offsite_ads_fee', 'receipt'],
};

function rowsOf({ type, entries }: MoneyEvent): Row[] {
  // Etsy names no order of a shipping label.
  if (type === 'label') return [{ type: 'shipping_labels', amount: sumOf(entries), referenceType: 'shop' }];
  if (type === 'payout') return [{ type: 'DISBURSE', amount: sumOf(entries), referenceType: 'shop' }];
  const isBack = type === 'refund' || type === 'cancellation';
  const suffix = isBack ? '_refund' : '';
  const paid = sumOf(
    entries.filter(({ kind }) => kind === 'principal' || kind === 'shipping' || kind === 'tax'),
  );
  const gross: Row = { type: isBack ? 'REFUND' : 'PAYMENT_GROSS', amount: paid, referenceType: 'receipt' };
  const others = entries.flatMap((entry): Row[] => {
    if (entry.kind === 'renewal') return renewalRows(entry, suffix);
    const [name, referenceType] = ROWS[entry.kind] ?? [];
    if (name === undefined || referenceType === undefined) return [];
    return [{ type: `${name}${suffix}`, amount: entry.amount, referenceType }];
  });
  return paid === 0 ? others : [gross, ...others];
}

/** The sold listing is renewed once, unless it sold out; each further item of the sale costs the same. */
function renewalRows({ amount, quantity }: MoneyEntry, suffix: string): Row[] {
  const isRenewed = Math.abs(amount) === quantity * RENEWAL;
  const first = isRenewed ? Math.sign(amount) * RENEWAL : 0;
  const rest = amount - first;
  return [
    ...(isRenewed
      ? [{ type: `renew_sold_auto${suffix}`, amount: first, referenceType: 'listing' } as const]
      : []),
    ...(rest === 0
      ? []
      : [{ type: `transaction_quantity${suffix}`, amount: rest, referenceType: 'transaction' } as const]),
  ];
}

/** All entries so far: each event is written down once. */
class Ledger {
  readonly #market: Market;
  readonly #entries: ReturnType<typeof entryView>[] = [];
  #events = 0;
  #balance = 0;

  constructor(market: Market) {
    this.#market = market;
  }

  entries(): readonly ReturnType<typeof entryView>[] {
    const events = this.#market.money.events();
    for (const event of events.slice(this.#events)) {
      for (const row of rowsOf(event)) {
        this.#balance += row.amount;
        this.#entries.push(entryView(event, row, this.#entries.length + 1, this.#balance));
      }
    }
    this.#events = events.length;
    return this.#entries;
  }
}

function entryView(
  event: MoneyEvent,
  { type, amount, referenceType }: Row,
  sequence: number,
  balance: number,
) {
  const created = seconds(event.at);
  return {
    entry_id: 8_800_000_000 + sequence,
    ledger_id: 4_400_000,
    sequence_number: sequence,
    amount,
    currency: 'USD',
    description: type,
    balance,
    ledger_type: type,
    create_date: created,
    created_timestamp: created,
    parent_entry_id: 0,
    reference_type: referenceType,
    reference_id: referenceOf(event, referenceType),
    payment_adjustments: [],
  };
}

function referenceOf({ order, entries }: MoneyEvent, type: Row['referenceType']): string {
  const line: OrderLine | null = entries[0]?.line ?? null;
  if (type === 'shop' || order === null || line === null) return String(SHOP_ID);
  if (type === 'receipt') return String(receiptIdOf(order));
  return type === 'listing' ? line.itemId : String(transactionIdOf(order, line));
}

function paymentView(order: Order, market: Market) {
  const booked = market.money.eventsOf(order);
  const paidIn = (events: readonly MoneyEvent[]): number =>
    sumOf(events.flatMap(rowsOf).filter(({ type }) => type === 'PAYMENT_GROSS' || type === 'REFUND'));
  const feeIn = (events: readonly MoneyEvent[]): number =>
    -sumOf(events.flatMap(({ entries }) => entries).filter(({ kind }) => kind === 'payment'));
  const sold = booked.filter(({ type }) => type === 'sale');
  const [gross, fees] = [paidIn(sold), feeIn(sold)];
  const isPosted = order.status === 'shipped';
  const isAdjusted = booked.some(({ type }) => type === 'refund' || type === 'cancellation');
  const [adjusted, adjustedFees] = [paidIn(booked), feeIn(booked)];
  const [created, updated] = [seconds(order.createdAt), seconds(order.updatedAt)];
  const when = (holds: boolean, amount: number) => (holds ? money(amount) : null);
  return {
    payment_id: receiptIdOf(order) + 9_000_000_000,
    buyer_user_id: 99_000_001,
    shop_id: SHOP_ID,
    receipt_id: receiptIdOf(order),
    amount_gross: money(gross),
    amount_fees: money(fees),
    amount_net: money(gross - fees),
    posted_gross: when(isPosted, gross),
    posted_fees: when(isPosted, fees),
    posted_net: when(isPosted, gross - fees),
    adjusted_gross: when(isAdjusted, adjusted),
    adjusted_fees: when(isAdjusted, adjustedFees),
    adjusted_net: when(isAdjusted, adjusted - adjustedFees),
    currency: 'USD',
    shop_currency: 'USD',
    buyer_currency: 'USD',
    shipping_user_id: USER_ID,
    shipping_address_id: 1,
    billing_address_id: 1,
    status: isPosted ? 'settled' : 'authed',
    shipped_timestamp: isPosted ? updated : null,
    create_timestamp: created,
    created_timestamp: created,
    update_timestamp: updated,
    updated_timestamp: updated,
    payment_adjustments: [],
  };
}
