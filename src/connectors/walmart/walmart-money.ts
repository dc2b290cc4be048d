import type { Account } from '#connectors/connector.ts';
import { ConnectorError } from '#connectors/connector-error.ts';
import type { Span } from '#connectors/newest-first.ts';
import { parseResponse } from '#connectors/parse-response.ts';
import type { MoneyPage } from '#domain/money/money-event.ts';
import { hours, type Instant } from '#domain/units.ts';
import { dayOfReport, ReconReport, UnknownColumns } from './recon-report.ts';
import { credentialsOf, NAME, type WalmartCalls } from './walmart-calls.ts';
import { ReconDates, ReconPage } from './walmart-responses.ts';

const PATH = '/v3/report/reconreport';
const ROWS_A_PAGE = 1_000;
const MAX_PAGES = 10_000;
const DAY = hours(24);

/** When each report was read in this process: Walmart asks to read none more often than every two hours. */
export class ReconLooks {
  readonly #readAt = new Map<string, Instant>();

  isDue(account: Account, date: string, now: Instant): boolean {
    const at = this.#readAt.get(keyOf(account, date));
    return at === undefined || at > now || now >= at + DAY;
  }

  wasRead(account: Account, date: string, now: Instant): void {
    this.#readAt.set(keyOf(account, date), now);
  }
}

function keyOf(account: Account, date: string): string {
  return `${credentialsOf(account).clientId} ${date}`;
}

/**
 * The reconciliation reports of that time, the newest first, each at most once a day. A report that cannot be read is
 * refused by its name, and the others are read.
 * @throws ConnectorError of fault "permission" when the key may not read reports
 */
export async function* readMoney(
  calls: WalmartCalls,
  account: Account,
  looks: ReconLooks,
  window: Span,
  signal: AbortSignal,
): AsyncGenerator<MoneyPage> {
  for (const date of await datesIn(calls, account, window, signal)) {
    const now = calls.now();
    if (!looks.isDue(account, date, now)) continue;
    try {
      yield* readReport(calls, account, date, signal);
      looks.wasRead(account, date, now);
    } catch (error) {
      yield refusedReport(date, error);
    }
  }
}

/** The names of the reports, newest first. A report is of its whole day. */
async function datesIn(
  calls: WalmartCalls,
  account: Account,
  { since, until }: Span,
  signal: AbortSignal,
): Promise<string[]> {
  const path = `${PATH}/availableReconFiles?reportVersion=v1`;
  const call = { method: 'GET', path, operation: 'recon', alsoAnswers: [404] } as const;
  const answer = await calls.ask(account, call, signal).catch((error: unknown) => {
    throw namingTheRight(error);
  });
  // Walmart returns "not found" where there are no reports.
  const body = answer.status === 404 ? {} : answer.body;
  const dates = parseResponse(NAME, ReconDates, { status: answer.status, body }, 'list of reports');
  return [...new Set(dates)]
    .map((date) => ({ date, day: dayOfReport(date) }))
    .filter(({ day }) => day === null || (day > since - DAY && day < until + DAY))
    .sort((a, b) => (b.day ?? 0) - (a.day ?? 0))
    .map(({ date }) => date);
}

async function* readReport(
  calls: WalmartCalls,
  account: Account,
  date: string,
  signal: AbortSignal,
): AsyncGenerator<MoneyPage> {
  const report = new ReconReport(date, calls.now());
  let offset = 0;
  for (let page = 1; page <= MAX_PAGES; page++) {
    const query = new URLSearchParams({
      reportDate: date,
      offset: String(offset),
      noOfRecords: String(ROWS_A_PAGE),
    });
    const call = { method: 'GET', path: `${PATH}/reconFileJson?${query}`, operation: 'recon' } as const;
    const { reportData, nextOffset } = await calls.read(account, call, ReconPage, 'report', signal);
    if (reportData.length > 0) yield report.page(reportData, offset);
    // The last page names no offset, -1, or the end of the file.
    if (reportData.length === 0 || nextOffset === null || nextOffset <= offset) return yield report.end();
    offset = nextOffset;
  }
  throw new ConnectorError('too_large', `${NAME} has a report without an end.`);
}

/** @throws the error, unless it concerns this report only */
function refusedReport(date: string, error: unknown): MoneyPage {
  const refused = (where: string): MoneyPage => ({
    events: [],
    settlements: [],
    refused: [{ where, why: 'unreadable' }],
  });
  if (error instanceof UnknownColumns) return refused(`report ${date}: column ${error.column}`);
  const isOfReport =
    error instanceof ConnectorError && ['refused', 'unreadable', 'too_large'].includes(error.fault);
  if (isOfReport) return refused(`report ${date}`);
  throw namingTheRight(error);
}

function namingTheRight(error: unknown): unknown {
  if (!(error instanceof ConnectorError) || error.fault !== 'permission') return error;
  const sentence = `${NAME} does not show what it booked: give the key the permission for reports in the developer portal.`;
  return new ConnectorError('permission', sentence, {
    status: error.status ?? 403,
    code: error.code,
    said: error.said,
  });
}
