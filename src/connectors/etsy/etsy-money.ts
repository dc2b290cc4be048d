import type { z } from 'zod';
import { bookedCents, isAheadOf, moneyId } from '#connectors/booked-money.ts';
import type { Account } from '#connectors/connector.ts';
import { ConnectorError } from '#connectors/connector-error.ts';
import { newestFirst, type Span } from '#connectors/newest-first.ts';
import { parseResponse } from '#connectors/parse-response.ts';
import type { MoneyEvent, MoneyPage, RefusedMoney } from '#domain/money/money-event.ts';
import { type Cents, hours, type Instant } from '#domain/units.ts';
import { type EtsyCalls, NAME, shopIdOf } from './etsy-calls.ts';
import { LedgerEntry, LedgerPage, Payment, PaymentPage, SoldPage } from './etsy-responses.ts';
import { isRenewalOfSale, kindOfLedgerType } from './ledger-kinds.ts';

const PAGE_SIZE = 100;
const MAX_PAGES = 2_000;
/** Etsy reports at most a month at once. */
const LONGEST_PERIOD = hours(30 * 24);
/** A sold listing is renewed with its sale: a renewal that is further from every sale belongs to none. */
const RENEWED_WITHIN = hours(1);

type Entry = z.output<typeof LedgerEntry>;
type Why = RefusedMoney['why'];

/** Makes a call to the shop. @param path follows that of the shop */
type Ask = <Schema extends z.ZodType>(
  path: string,
  schema: Schema,
  what: string,
) => Promise<z.output<Schema>>;

/**
 * The entries of the payment account. A payment is one amount for goods and shipping; the sales tax in it is taken back
 * out by an entry of its own. Entries name a transaction, receipt, listing or payment; a renewal names a listing only, and
 * belongs to the sale at that time.
 */
export async function* readMoney(
  calls: EtsyCalls,
  account: Account,
  window: Span,
  signal: AbortSignal,
): AsyncGenerator<MoneyPage> {
  const shop = `/v3/application/shops/${await shopIdOf(calls, account, signal)}`;
  const ask: Ask = async (path, schema, what) => {
    const call = { method: 'GET', path: `${shop}${path}`, operation: 'ledger' } as const;
    return parseResponse(NAME, schema, await calls.call(account, call, signal), what);
  };
  for (const span of newestFirst(window, LONGEST_PERIOD)) {
    for await (const entries of entriesOf(ask, span)) yield await pageOf(ask, entries, calls.now());
  }
}

async function* entriesOf(ask: Ask, { since, until }: Span): AsyncGenerator<readonly unknown[]> {
  for (let page = 0; page < MAX_PAGES; page++) {
    const query = new URLSearchParams({
      min_created: secondsOf(since),
      max_created: secondsOf(until),
      limit: String(PAGE_SIZE),
      offset: String(page * PAGE_SIZE),
    });
    const path = `/payment-account/ledger-entries?${query}`;
    const { count, results } = await ask(path, LedgerPage, 'list of ledger entries');
    if (results.length > 0) yield results;
    if (results.length === 0 || (page + 1) * PAGE_SIZE >= count) return;
  }
  throw new ConnectorError('too_large', `${NAME} has more ledger entries than can be synced at once.`);
}

function secondsOf(at: number): string {
  return String(Math.floor(at / 1_000));
}

async function pageOf(ask: Ask, entries: readonly unknown[], now: Instant): Promise<MoneyPage> {
  const refused: RefusedMoney[] = [];
  const booked: { readonly entry: Entry; readonly amount: Cents }[] = [];
  for (const one of entries) {
    const read = LedgerEntry.safeParse(one);
    if (!read.success) {
      refused.push(refusalOf(one));
      continue;
    }
    const entry = read.data;
    const amount = amountOf(entry, now);
    if (typeof amount === 'number') booked.push({ entry, amount });
    else refused.push({ where: `${entry.ledger_type} ${entry.entry_id}`, why: amount });
  }
  const read = booked.map(({ entry }) => entry);
  const receipts = await receiptsOfPayments(ask, read);
  const sales = await salesOfRenewals(ask, read);
  const events = booked.map(({ entry, amount }): MoneyEvent => {
    const { entry_id, ledger_type, reference_id, created_timestamp } = entry;
    const isOf = (what: string): boolean => entry.reference_type.includes(what);
    return {
      externalId: moneyId(entry_id),
      kind: kindOfLedgerType(ledger_type),
      rawType: ledger_type,
      amount,
      orderRef: isOf('receipt') && !isOf('transaction') ? reference_id : (receipts.get(entry_id) ?? null),
      lineRef: isOf('transaction') ? reference_id : (sales.get(entry_id) ?? null),
      sku: null,
      itemId: isOf('listing') ? reference_id : null,
      quantity: null,
      postedAt: created_timestamp,
      releasedAt: created_timestamp,
      // Etsy reports no payout of an entry.
      settlementRef: null,
    };
  });
  return { events, settlements: [], refused };
}

/** An entry without an ID, type or time. */
function refusalOf(entry: unknown): RefusedMoney {
  const { entry_id: id, ledger_type: type } = Object(entry) as Record<string, unknown>;
  if (typeof id !== 'number') return { where: `${NAME} ledger entry`, why: 'no_id' };
  return {
    where: `${typeof type === 'string' ? type.slice(0, 100) : 'ledger entry'} ${id}`,
    why: 'unreadable',
  };
}

function amountOf({ amount, currency, created_timestamp }: Entry, now: Instant): Cents | Why {
  if (currency !== 'USD') return currency === null ? 'unreadable' : 'currency';
  if (isAheadOf(now, created_timestamp)) return 'future';
  // Whole pennies: a fraction of one is the third decimal.
  return typeof amount === 'number' ? bookedCents(amount / 100) : 'unreadable';
}

/** The receipts of entries that name a payment, by entry. */
async function receiptsOfPayments(ask: Ask, entries: readonly Entry[]): Promise<Map<number, string>> {
  const ofPayments = entries.filter(({ reference_type: type }) => type.includes('payment'));
  if (ofPayments.length === 0) return new Map();
  const query = new URLSearchParams();
  for (const { entry_id } of ofPayments) query.append('ledger_entry_ids', String(entry_id));
  const path = `/payment-account/ledger-entries/payments?${query}`;
  const { results } = await ask(path, PaymentPage, 'list of payments').catch(nothingRefused);
  const byId = new Map(
    results.flatMap((one) => {
      const payment = Payment.safeParse(one);
      if (!payment.success) return [];
      const { payment_id, receipt_id, payment_adjustments } = payment.data;
      return [payment_id, ...payment_adjustments].map((id) => [String(id), String(receipt_id)] as const);
    }),
  );
  return new Map(
    ofPayments.flatMap(({ entry_id, reference_id }) => {
      const receipt = byId.get(reference_id ?? '');
      return receipt === undefined ? [] : [[entry_id, receipt] as const];
    }),
  );
}

/** The amounts are reported without what they belong to; those of payments are read again until it is known. */
function nothingRefused(error: unknown): { readonly results: never[] } {
  if (!(error instanceof ConnectorError) || (error.fault !== 'refused' && error.fault !== 'unreadable')) {
    throw error;
  }
  return { results: [] };
}

/** The sold transactions of entries that renew their listing, by entry: those of the listing that are nearest in time. */
async function salesOfRenewals(ask: Ask, entries: readonly Entry[]): Promise<Map<number, string>> {
  const renewals = entries.filter(
    ({ ledger_type, reference_type }) => isRenewalOfSale(ledger_type) && reference_type.includes('listing'),
  );
  if (renewals.length === 0) return new Map();
  const times = renewals.map(({ created_timestamp }) => created_timestamp);
  const sold = await soldBetween(
    ask,
    Math.min(...times) - RENEWED_WITHIN,
    Math.max(...times) + RENEWED_WITHIN,
  );
  const found = new Map<number, string>();
  for (const { entry_id, reference_id, created_timestamp: at } of renewals) {
    const distance = (one: Sold): number => Math.abs(one.at - at);
    const [nearest] = sold
      .filter((one) => one.listing === reference_id && distance(one) <= RENEWED_WITHIN)
      .toSorted((a, b) => distance(a) - distance(b));
    if (nearest !== undefined) found.set(entry_id, nearest.transaction);
  }
  return found;
}

interface Sold {
  readonly transaction: string;
  readonly listing: string;
  readonly at: number;
}

async function soldBetween(ask: Ask, since: number, until: number): Promise<Sold[]> {
  const sold: Sold[] = [];
  for (let page = 0; page < MAX_PAGES; page++) {
    const query = new URLSearchParams({
      min_created: secondsOf(since),
      max_created: secondsOf(until),
      limit: String(PAGE_SIZE),
      offset: String(page * PAGE_SIZE),
    });
    const { count, results } = await ask(`/receipts?${query}`, SoldPage, 'list of receipts').catch(
      (error: unknown) => ({ count: 0, ...nothingRefused(error) }),
    );
    sold.push(
      ...results.flatMap(({ created_timestamp: at, transactions }) =>
        transactions.flatMap(({ transaction_id, listing_id }) =>
          listing_id == null
            ? []
            : [{ transaction: String(transaction_id), listing: String(listing_id), at }],
        ),
      ),
    );
    if (results.length === 0 || (page + 1) * PAGE_SIZE >= count) break;
  }
  return sold;
}
