import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Cents, cents } from '#domain/units.ts';
import { dollars } from '#sandbox/adapters/money.ts';
import { queryNumber, queryText } from '#sandbox/adapters/query.ts';
import type { Market } from '#sandbox/world/market.ts';
import type { OrderLine } from '#sandbox/world/orders.ts';
import { type MoneyEntry, type MoneyEvent, sumOf } from '#sandbox/world/truth/money-events.ts';
import { MARKETPLACE_ID, SELLER_ID } from './amazon-auth.ts';
import { amazonRefusal } from './amazon-errors.ts';
import { amountsAt, NAMES } from './money-names.ts';
import { orderIdOf } from './orders.ts';

const PAGE_SIZE = 100;
/** Transactions of a page that the next one repeats, as happens when new ones arrive in between. */
const OVERLAP = 2;
const LAG = 2 * 60_000;
const LONGEST_SPAN = 180 * 86_400_000;

/** The Finances API, 2024-06-19. */
export function addFinances(app: FastifyInstance, market: Market): void {
  const path = '/finances/2024-06-19/transactions';
  app.get(path, { config: { operation: 'listTransactions' } }, async (request) => {
    requireMoneyRight(market);
    const from = queryNumber(request, 'nextToken', 0, 999_999_999);
    if (Number.isNaN(from)) throw amazonRefusal(400, "Invalid 'nextToken' provided.");
    const wanted = wantedOf(market, request);
    const page = wanted.slice(from, from + PAGE_SIZE).map((one) => transactionView(one, market.now()));
    const next = from + PAGE_SIZE;
    const nextToken = next < wanted.length ? { nextToken: String(next - OVERLAP) } : {};
    return { payload: { transactions: page, ...nextToken } };
  });
}

/** @throws Refusal without the role "Finance and Accounting" */
export function requireMoneyRight({ tellsMoney }: Market): void {
  if (tellsMoney) return;
  throw amazonRefusal(403, 'Access to requested resource is denied.', 'The application lacks a role.');
}

function wantedOf(market: Market, request: FastifyRequest) {
  const latest = market.now() - LAG;
  const name = queryText(request, 'relatedIdentifierName');
  const value = queryText(request, 'relatedIdentifierValue');
  const after = momentOf(request, 'postedAfter');
  const before = momentOf(request, 'postedBefore') ?? latest;
  if (after === null && name === null) throw amazonRefusal(400, "'postedAfter' is required.");
  if ((after ?? 0) > latest || before > latest || (after !== null && before <= after)) {
    throw amazonRefusal(400, 'The dates must be in order and two minutes before the request.');
  }
  if (after !== null && before - after > LONGEST_SPAN) return [];
  const status = queryText(request, 'transactionStatus');
  const marketplace = queryText(request, 'marketplaceId');
  return market.money
    .events()
    .flatMap((event) => transactionsOf(event, market.now()))
    .filter((one) => {
      const isInTime = one.postedAt >= (after ?? 0) && one.postedAt < before;
      const isOfStatus = status === null || one.status === status;
      if (!isInTime || !isOfStatus) return false;
      const isNamed = name === null || relatedTo(one).some(isRelated(name, value));
      // In the United States the filter leaves out what the seller shipped.
      const isThere = marketplace === null || (marketplace === MARKETPLACE_ID && !isOfSeller(one.event));
      return isNamed && isThere;
    })
    .toSorted((a, b) => a.postedAt - b.postedAt);
}

function momentOf(request: FastifyRequest, name: string): number | null {
  const text = queryText(request, name);
  if (text === null) return null;
  const moment = Date.parse(text);
  if (Number.isNaN(moment)) throw amazonRefusal(400, `Invalid '${name}' provided.`);
  return moment;
}

function isRelated(name: string, value: string | null) {
  return (one: ReturnType<typeof related>) =>
    one.relatedIdentifierName === name && one.relatedIdentifierValue === value;
}

function isOfSeller({ entries }: MoneyEvent): boolean {
  return entries.some(({ line }) => line?.fulfillmentType === 'FBM');
}

interface Told {
  readonly event: MoneyEvent;
  readonly status: 'RELEASED' | 'DEFERRED' | 'DEFERRED_RELEASED';
  readonly isRelease: boolean;
  readonly postedAt: number;
}

/** A deferred transaction and its release are two transactions over the same money. */
function transactionsOf(event: MoneyEvent, now: number): Told[] {
  const { at, lag, releasedAt } = event;
  if (at + lag > now) return [];
  const reported = { event, isRelease: false, postedAt: at };
  if (releasedAt === null) return [{ ...reported, status: 'RELEASED' }];
  if (releasedAt > now) return [{ ...reported, status: 'DEFERRED' }];
  const release: Told = { event, status: 'RELEASED', isRelease: true, postedAt: releasedAt };
  return [{ ...reported, status: 'DEFERRED_RELEASED' }, release];
}

function relatedTo({ event, status, isRelease }: Told) {
  const { order, settlement } = event;
  return [
    ...(order === null ? [] : [related('ORDER_ID', orderIdOf(order))]),
    ...(status === 'DEFERRED' ? [] : [related('SETTLEMENT_ID', settlementIdOf(settlement))]),
    ...(isRelease ? [related('DEFERRED_TRANSACTION_ID', idOf(event, false))] : []),
    ...(status === 'DEFERRED_RELEASED' ? [related('RELEASE_TRANSACTION_ID', idOf(event, true))] : []),
  ];
}

function transactionView(reported: Told, now: number) {
  const { event, status, isRelease, postedAt } = reported;
  const { type, releasedAt } = event;
  const entries = amountsAt(event, now);
  const { transactionType, description } = NAMES[type];
  return {
    sellingPartnerMetadata: {
      sellingPartnerId: SELLER_ID,
      accountType: 'Standard Orders',
      marketplaceId: MARKETPLACE_ID,
    },
    relatedIdentifiers: relatedTo(reported),
    transactionType,
    transactionId: idOf(event, isRelease),
    transactionStatus: status,
    description,
    postedDate: new Date(postedAt).toISOString(),
    totalAmount: money(sumOf(entries)),
    marketplaceDetails: { marketplaceId: MARKETPLACE_ID, marketplaceName: 'Amazon.com' },
    items: itemsOf(event, entries),
    contexts: releasedAt === null ? [] : [deferral(releasedAt)],
    breakdowns: treeOf(entries, cents(sumOf(entries)), type),
  };
}

function related(relatedIdentifierName: string, relatedIdentifierValue: string) {
  return { relatedIdentifierName, relatedIdentifierValue };
}

/** Settlements have numbers of eleven digits. */
export function settlementIdOf(settlement: number): string {
  return String(11_000_000_000 + settlement);
}

function idOf({ number }: MoneyEvent, isRelease: boolean): string {
  return `sandbox-transaction-${number}${isRelease ? '-release' : ''}`;
}

function deferral(releasedAt: number) {
  const maturityDate = new Date(releasedAt).toISOString();
  return { contextType: 'DeferredContext', deferralReason: 'DD7', maturityDate };
}

/** Items name no order line: two lines of one listing look alike. */
function itemsOf({ type, sku }: MoneyEvent, entries: readonly MoneyEntry[]) {
  const lines = [...new Set(entries.map(({ line }) => line))];
  return lines.flatMap((line) => {
    if (line === null && sku === null) return [];
    const own = entries.filter((entry) => entry.line === line);
    const quantity = own[0]?.quantity ?? 0;
    return [
      {
        description: line?.title ?? '',
        totalAmount: money(sumOf(own)),
        breakdowns: treeOf(own, cents(sumOf(own)), type),
        contexts: [
          line === null ? { contextType: 'ProductContext', sku: sku ?? '' } : product(line, quantity),
        ],
      },
    ];
  });
}

function product({ itemId, sku, fulfillmentType }: OrderLine, quantityShipped: number) {
  const fulfillmentNetwork = fulfillmentType === 'FBA/WFS' ? 'AFN' : 'MFN';
  return { contextType: 'ProductContext', asin: itemId, sku, quantityShipped, fulfillmentNetwork };
}

interface Breakdown {
  readonly breakdownType: string;
  readonly breakdownAmount: ReturnType<typeof money>;
  readonly breakdowns: readonly Breakdown[];
}

/** A tree whose parents repeat the sum of their children. */
function treeOf(entries: readonly MoneyEntry[], total: Cents, type: MoneyEvent['type']): Breakdown[] {
  const groups = new Map<string, Breakdown[]>();
  for (const { kind, amount } of entries) {
    const { group, name, isFee } = NAMES[type].parts[kind] ?? { group: 'Other', name: kind, isFee: false };
    const base = isFee ? [breakdown('Base', amount)] : [];
    groups.set(group, [...(groups.get(group) ?? []), breakdown(name, amount, base)]);
  }
  const sumIn = (parts: readonly Breakdown[]): number =>
    Math.round(parts.reduce((sum, { breakdownAmount }) => sum + breakdownAmount.currencyAmount, 0) * 100);
  const children = [...groups].map(([group, parts]) => breakdown(group, sumIn(parts), parts));
  return [breakdown(total < 0 ? 'Expenses' : 'Sales', total, children)];
}

function breakdown(breakdownType: string, amount: number, breakdowns: readonly Breakdown[] = []): Breakdown {
  return { breakdownType, breakdownAmount: money(amount), breakdowns };
}

function money(amount: number) {
  return { currencyCode: 'USD', currencyAmount: dollars(cents(amount)) };
}
