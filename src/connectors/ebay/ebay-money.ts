import type { z } from 'zod';
import type { Account } from '#connectors/connector.ts';
import { ConnectorError } from '#connectors/connector-error.ts';
import { newestFirst, type Span } from '#connectors/newest-first.ts';
import { parseResponse } from '#connectors/parse-response.ts';
import type { MoneyPage, RefusedMoney, ReportedSettlement } from '#domain/money/money-event.ts';
import { hours } from '#domain/units.ts';
import { type EbayCalls, NAME } from './ebay-calls.ts';
import { MoneyPayout, PayoutPage, TransactionPage } from './ebay-responses.ts';
import { centsOf, moneyOfTransaction } from './transaction-money.ts';

const FINANCES = '/sell/finances/v1';
const TRANSACTIONS_A_PAGE = 1_000;
const PAYOUTS_A_PAGE = 200;
const MAX_PAGES = 1_000;
/** eBay documents this as the longest period. */
const LONGEST_PERIOD = hours(90 * 24);

/** Says how to grant it. */
export const NO_RIGHT = `Your authorization of ${NAME} does not include payments (sell.finances). Choose "Connect ${NAME}" in Settings and agree again.`;

/** A page of a list; the next one exists while it is named. */
type ListPage<Row> = { readonly rows: readonly Row[]; readonly next?: string | null | undefined };

/**
 * What eBay booked, transaction by transaction, and then the payouts of that time with what they contain: a transaction
 * is reported for its payout days after it. A sale or refund is one amount for its goods and shipping, without the sales tax
 * that eBay collects and remits itself, and one for each fee of each line.
 * @throws ConnectorError of fault "permission" where the authorization is older than the right to read payments
 */
export async function* readMoney(
  calls: EbayCalls,
  account: Account,
  window: Span,
  signal: AbortSignal,
): AsyncGenerator<MoneyPage> {
  for (const span of newestFirst(window, LONGEST_PERIOD)) {
    const period = `[${new Date(span.since).toISOString()}..${new Date(span.until).toISOString()}]`;
    yield* transactionsOf(calls, account, `transactionDate:${period}`, [], signal);
    const payouts = listOf(
      calls,
      account,
      { path: 'payout', filter: `payoutDate:${period}`, size: PAYOUTS_A_PAGE },
      PayoutPage,
      signal,
    );
    for await (const page of payouts) {
      for (const one of page) yield* moneyOfPayout(calls, account, one, signal);
    }
  }
}

async function* moneyOfPayout(
  calls: EbayCalls,
  account: Account,
  payout: unknown,
  signal: AbortSignal,
): AsyncGenerator<MoneyPage> {
  const read = MoneyPayout.safeParse(payout);
  if (!read.success) {
    const refused: RefusedMoney[] = [{ where: `${NAME} payout`, why: 'unreadable' }];
    yield { events: [], settlements: [], refused };
    return;
  }
  const { payoutId, payoutDate, payoutStatus, amount, totalAmount } = read.data;
  // With the fee for an instant payout, which is taken from what the transactions add up to.
  const total = centsOf(totalAmount ?? amount);
  const settlement: ReportedSettlement = {
    ref: payoutId,
    from: null,
    to: payoutDate,
    paidAt: payoutStatus === 'SUCCEEDED' ? payoutDate : null,
    // One that cannot be read is unknown.
    total: typeof total === 'number' ? total : null,
    isClosed: true,
  };
  yield* transactionsOf(calls, account, `payoutId:{${payoutId}}`, [settlement], signal);
}

/** @param settlements reported with the first page, also if it is empty */
async function* transactionsOf(
  calls: EbayCalls,
  account: Account,
  filter: string,
  settlements: readonly ReportedSettlement[],
  signal: AbortSignal,
): AsyncGenerator<MoneyPage> {
  let first = settlements;
  const call = { path: 'transaction', filter, size: TRANSACTIONS_A_PAGE };
  for await (const transactions of listOf(calls, account, call, TransactionPage, signal)) {
    const money = transactions.map((one) => moneyOfTransaction(one, calls.now()));
    yield {
      events: money.flatMap(({ events }) => events),
      settlements: first,
      refused: money.flatMap(({ refused }) => refused),
      whole: money.flatMap(({ whole }) => whole),
    };
    first = [];
  }
  if (first.length > 0) yield { events: [], settlements: first, refused: [] };
}

async function* listOf<Row>(
  calls: EbayCalls,
  account: Account,
  { path, filter, size }: { readonly path: string; readonly filter: string; readonly size: number },
  schema: z.ZodType<ListPage<Row>>,
  signal: AbortSignal,
): AsyncGenerator<readonly Row[]> {
  for (let page = 0; page < MAX_PAGES; page++) {
    const query = new URLSearchParams({ filter, limit: String(size), offset: String(page * size) });
    const call = { method: 'GET', path: `${FINANCES}/${path}?${query}`, operation: 'finances' } as const;
    const answer = await calls.finances(account, call, signal).catch((error: unknown) => {
      throw withRight(error);
    });
    // No result has no content.
    if (answer.status === 204) return;
    const { rows, next } = parseResponse(NAME, schema, answer, `list of ${path}s`);
    if (rows.length > 0) yield rows;
    if (next == null || rows.length === 0) return;
  }
  throw new ConnectorError('too_large', `${NAME} has more ${path}s than can be synced at once.`);
}

/** Whether the authorization includes payments. True also where eBay fails to answer. */
export async function mayReadMoney(
  calls: EbayCalls,
  account: Account,
  signal: AbortSignal,
): Promise<boolean> {
  const path = `${FINANCES}/transaction?limit=1`;
  try {
    await calls.finances(account, { method: 'GET', path, operation: 'finances' }, signal);
    return true;
  } catch (error) {
    if (!(error instanceof ConnectorError) || error.fault === 'time') throw error;
    return error.fault !== 'permission';
  }
}

function withRight(error: unknown): unknown {
  if (!(error instanceof ConnectorError) || error.fault !== 'permission') return error;
  return new ConnectorError('permission', NO_RIGHT, {
    status: error.status ?? 403,
    code: error.code,
    said: error.said,
  });
}
