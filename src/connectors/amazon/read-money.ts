import { z } from 'zod';
import { ConnectorError } from '#connectors/connector-error.ts';
import { newestFirst, type Span } from '#connectors/newest-first.ts';
import type { MoneyEvent, MoneyPage, ReportedSettlement } from '#domain/money/money-event.ts';
import { hours, instant } from '#domain/units.ts';
import { type AmazonCalls, pathOf } from './amazon-calls.ts';
import { NextToken, read } from './amazon-responses.ts';
import type { AmazonShop } from './amazon-shop.ts';
import { bookedIn } from './booked-transaction.ts';
import { readSettlements, type SettlementLooks } from './settlements.ts';

const PATH = '/finances/2024-06-19/transactions';
/** Amazon reports nothing of the last two minutes, by its own clock. */
const LATE = 300_000;
/** Amazon answers for at most 180 days at once. */
const SPAN = hours(30 * 24);
const MAX_PAGES = 10_000;

const TransactionsPage = z.object({
  payload: z.object({
    // Each of them is checked for itself: one that cannot be read leaves the others.
    transactions: z
      .array(z.unknown())
      .nullish()
      .transform((all) => all ?? []),
    nextToken: NextToken,
  }),
});

/**
 * What Amazon booked in a time: amounts from the transactions, totals of settlements from the settlement reports. An
 * order of the last two days may still be missing.
 * @throws ConnectorError of fault "permission" without the role "Finance and Accounting"
 */
export async function* readMoney(
  calls: AmazonCalls,
  shop: AmazonShop,
  looks: SettlementLooks,
  { since, until }: Span,
  signal: AbortSignal,
): AsyncGenerator<MoneyPage> {
  try {
    const reported = { since, until: instant(Math.min(until, calls.now() - LATE)) };
    for (const span of newestFirst(reported, SPAN)) yield* readTransactions(calls, shop, span, signal);
    yield* readSettlements(calls, shop, looks, since, signal);
  } catch (error) {
    throw namingTheRole(error);
  }
}

/** Whether the application may read what Amazon booked. True also where Amazon fails to answer. */
export async function mayReadMoney(
  calls: AmazonCalls,
  shop: AmazonShop,
  signal: AbortSignal,
): Promise<boolean> {
  const until = instant(calls.now() - LATE);
  try {
    await requestPage(calls, shop, { since: instant(until - LATE), until }, null, signal);
    return true;
  } catch (error) {
    if (!(error instanceof ConnectorError) || error.fault === 'time') throw error;
    return error.fault !== 'permission';
  }
}

async function* readTransactions(
  calls: AmazonCalls,
  shop: AmazonShop,
  span: Span,
  signal: AbortSignal,
): AsyncGenerator<MoneyPage> {
  const seen = new Set<string>();
  for (let token: string | null = null; ; ) {
    const { transactions, nextToken } = await requestPage(calls, shop, span, token, signal);
    const booked = transactions.map((reported) => bookedIn(reported, shop.marketplaceId, calls.now()));
    const events = booked.flatMap((one) => one.events);
    yield {
      events,
      settlements: runningIn(events),
      refused: booked.flatMap(({ refused }) => refused),
      whole: booked.flatMap(({ whole }) => whole),
    };
    // A page may be empty although others follow.
    if (nextToken === null) return;
    if (seen.has(nextToken) || seen.size >= MAX_PAGES) {
      throw new ConnectorError(
        'unreadable',
        'Unexpected response from Amazon: the list of transactions did not end.',
      );
    }
    seen.add(nextToken);
    token = nextToken;
  }
}

/** The settlements of these amounts, as running: the report of a settlement comes when it is over, with its total. */
function runningIn(events: readonly MoneyEvent[]): ReportedSettlement[] {
  const refs = new Set(events.flatMap(({ settlementRef }) => settlementRef ?? []));
  return [...refs].map((ref) => ({
    ref,
    from: null,
    to: null,
    paidAt: null,
    total: null,
    isClosed: false,
  }));
}

async function requestPage(
  calls: AmazonCalls,
  shop: AmazonShop,
  { since, until }: Span,
  nextToken: string | null,
  signal: AbortSignal,
): Promise<z.output<typeof TransactionsPage>['payload']> {
  // Without marketplaceId: with it, Amazon leaves out the orders that US sellers ship themselves.
  const path = pathOf(PATH, {
    postedAfter: new Date(since).toISOString(),
    postedBefore: new Date(until).toISOString(),
    nextToken,
  });
  const call = { method: 'GET', path, operation: 'transactions', isPatient: true } as const;
  const answer = await calls.ask(shop, call, signal);
  return read(TransactionsPage, answer.body, 'list of transactions').payload;
}

function namingTheRole(error: unknown): unknown {
  if (!(error instanceof ConnectorError) || error.fault !== 'permission') return error;
  const { status, code, said } = error;
  return new ConnectorError(
    'permission',
    'Amazon does not show what it booked: give the application the role Finance and Accounting, then authorize it again.',
    { ...(status === null ? {} : { status }), code, said },
  );
}
