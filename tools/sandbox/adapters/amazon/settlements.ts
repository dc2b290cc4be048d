import { cents } from '#domain/units.ts';
import { dollarText } from '#sandbox/adapters/money.ts';
import type { Market } from '#sandbox/world/market.ts';
import { type MoneyEntry, type MoneyEvent, sumOf } from '#sandbox/world/truth/money-events.ts';
import { settlementIdOf } from './finances.ts';
import { amountsAt, NAMES } from './money-names.ts';
import { orderIdOf, orderItemIdOf } from './orders.ts';

const COLUMNS = [
  ...['settlement-id', 'settlement-start-date', 'settlement-end-date', 'deposit-date', 'total-amount'],
  ...['currency', 'transaction-type', 'order-id', 'merchant-order-id', 'adjustment-id', 'shipment-id'],
  ...['marketplace-name', 'amount-type', 'amount-description', 'amount', 'fulfillment-id', 'posted-date'],
  ...['posted-date-time', 'order-item-code', 'merchant-order-item-id', 'merchant-adjustment-item-id', 'sku'],
  ...['quantity-purchased', 'promotion-id'],
];

type Row = Readonly<Record<string, string>>;

/** The settlements that are over, oldest first. */
export function endedSettlements(market: Market): number[] {
  const running = market.money.settlementAt(market.now());
  const numbers = new Set(market.money.events().map(({ settlement }) => settlement));
  return [...numbers].filter((number) => number < running).sort((a, b) => a - b);
}

/** The report of a settlement: the first row has the total, every other one an amount. */
export function settlementReport(market: Market, settlement: number): string {
  const { from, to } = market.money.spanOf(settlement);
  const events = market.money
    .events()
    .filter((event) => event.settlement === settlement && event.type !== 'payout');
  const total = sumOf(events.flatMap(({ entries }) => entries));
  const first: Row = {
    'settlement-id': settlementIdOf(settlement),
    'settlement-start-date': `${dateTime(from)} UTC`,
    'settlement-end-date': `${dateTime(to)} UTC`,
    'deposit-date': `${dateTime(to)} UTC`,
    'total-amount': dollarText(cents(total)),
    currency: 'USD',
  };
  const rows = events.flatMap((event) =>
    amountsAt(event, market.now()).map((entry) => rowOf(event, entry, settlement)),
  );
  const textOf = (row: Row): string => COLUMNS.map((column) => row[column] ?? '').join('\t');
  return `${[COLUMNS.join('\t'), ...[first, ...rows].map(textOf)].join('\n')}\n`;
}

function rowOf({ type, order, at, releasedAt, sku }: MoneyEvent, entry: MoneyEntry, settlement: number): Row {
  const { line, quantity, amount, kind } = entry;
  const [amountType = '', description = ''] = NAMES[type].parts[kind]?.row ?? [];
  const posted = dateTime(releasedAt ?? at);
  return {
    'settlement-id': settlementIdOf(settlement),
    'transaction-type': NAMES[type].row,
    'order-id': order === null ? '' : orderIdOf(order),
    'marketplace-name': order === null ? '' : 'Amazon.com',
    'amount-type': amountType,
    'amount-description': description,
    amount: dollarText(cents(amount)),
    'fulfillment-id': line === null ? '' : line.fulfillmentType === 'FBA/WFS' ? 'AFN' : 'MFN',
    'posted-date': posted.slice(0, 10),
    'posted-date-time': `${posted} UTC`,
    'order-item-code': order === null || line === null ? '' : orderItemIdOf(order, line),
    sku: line?.sku ?? sku ?? '',
    'quantity-purchased': kind === 'principal' ? String(quantity) : '',
  };
}

/** "2026-03-02 08:00:00". */
function dateTime(moment: number): string {
  return new Date(moment).toISOString().slice(0, 19).replace('T', ' ');
}
