import { z } from 'zod';
import { bookedCents } from '#connectors/booked-money.ts';
import { ConnectorError } from '#connectors/connector-error.ts';
import type { MoneyPage, RefusedMoney, ReportedSettlement } from '#domain/money/money-event.ts';
import { type Instant, instant } from '#domain/units.ts';
import { type AmazonCalls, pathOf } from './amazon-calls.ts';
import { linesOf } from './amazon-documents.ts';
import { documentOf } from './amazon-reports.ts';
import { Id, NextToken, read } from './amazon-responses.ts';
import type { AmazonShop } from './amazon-shop.ts';

const REPORT_TYPE = 'GET_V2_SETTLEMENT_REPORT_DATA_FLAT_FILE_V2';
const DAY = 86_400_000;
/** Amazon keeps reports that long. */
const KEPT = 90 * DAY;
/** Reports this much older than the time to be read are looked for too: the last look may have been a day ago. */
const OVERLAP = 3 * DAY;
const MAX_PAGES = 100;
const COLUMNS = [
  'settlement-id',
  'settlement-start-date',
  'settlement-end-date',
  'deposit-date',
  'total-amount',
  'currency',
] as const;
type Column = (typeof COLUMNS)[number];

const ReportsPage = z.object({
  reports: z.array(
    z.object({
      reportId: Id,
      processingStatus: z.string(),
      reportDocumentId: Id.nullish(),
      marketplaceIds: z.array(z.string()).nullish(),
    }),
  ),
  nextToken: NextToken,
});
type Report = z.output<typeof ReportsPage>['reports'][number];

interface Looked {
  readonly at: Instant;
  /** Reports created since then are known. */
  readonly since: number;
}

/**
 * Up to when the reports of each store were listed in this process, and which were read: a settlement never changes.
 * Amazon makes a report every fortnight, so that it is enough to list them once a day.
 */
export class SettlementLooks {
  readonly #looked = new Map<string, Looked>();
  readonly #read = new Set<string>();

  isDue(shop: AmazonShop, since: number, now: Instant): boolean {
    const last = this.#looked.get(keyOf(shop));
    return last === undefined || since < last.since || last.at > now || now >= last.at + DAY;
  }

  end(shop: AmazonShop, since: number, now: Instant): void {
    const last = this.#looked.get(keyOf(shop));
    this.#looked.set(keyOf(shop), { at: now, since: Math.min(since, last?.since ?? since) });
  }

  isNew(shop: AmazonShop, reportId: string): boolean {
    return !this.#read.has(`${keyOf(shop)} ${reportId}`);
  }

  wasRead(shop: AmazonShop, reportId: string): void {
    this.#read.add(`${keyOf(shop)} ${reportId}`);
  }
}

function keyOf({ sellerId, marketplaceId }: AmazonShop): string {
  return `${sellerId} ${marketplaceId}`;
}

/**
 * The settlements that Amazon reported since that time, with their totals. A report that cannot be read is refused by its
 * ID, and is tried again with the next list. The rows of the reports are not read: the
 * transactions hold the same amounts, and no amount may count twice.
 */
export async function* readSettlements(
  calls: AmazonCalls,
  shop: AmazonShop,
  looks: SettlementLooks,
  since: Instant,
  signal: AbortSignal,
): AsyncGenerator<MoneyPage> {
  const now = calls.now();
  const from = Math.max(since - OVERLAP, now - KEPT);
  if (!looks.isDue(shop, from, now)) return;
  for await (const report of reportsSince(calls, shop, from, signal)) {
    const { reportId, reportDocumentId, processingStatus, marketplaceIds } = report;
    const isHere = marketplaceIds?.includes(shop.marketplaceId) ?? true;
    if (!isHere || processingStatus !== 'DONE' || reportDocumentId == null || !looks.isNew(shop, reportId))
      continue;
    try {
      yield await readReport(calls, shop, { reportId, reportDocumentId }, signal);
      looks.wasRead(shop, reportId);
    } catch (error) {
      if (!isOfDocument(error)) throw error;
      yield refusedPage(nameOf(reportId), 'unreadable');
    }
  }
  looks.end(shop, from, now);
}

async function* reportsSince(
  calls: AmazonCalls,
  shop: AmazonShop,
  since: number,
  signal: AbortSignal,
): AsyncGenerator<Report> {
  // Such reports cannot be requested: Amazon makes them itself.
  let query: Parameters<typeof pathOf>[1] = {
    reportTypes: REPORT_TYPE,
    createdSince: new Date(since).toISOString(),
    pageSize: '100',
  };
  for (let page = 1; page <= MAX_PAGES; page++) {
    const path = pathOf('/reports/2021-06-30/reports', query);
    const call = { method: 'GET', path, operation: 'reports', isPatient: true } as const;
    const answer = await calls.ask(shop, call, signal);
    const { reports, nextToken } = read(ReportsPage, answer.body, 'list of reports');
    yield* reports;
    if (nextToken === null) return;
    query = { nextToken };
  }
  throw new ConnectorError('unreadable', 'Unexpected response from Amazon: the list of reports did not end.');
}

async function readReport(
  calls: AmazonCalls,
  shop: AmazonShop,
  { reportId, reportDocumentId }: { readonly reportId: string; readonly reportDocumentId: string },
  signal: AbortSignal,
): Promise<MoneyPage> {
  const rows: string[][] = [];
  for await (const line of linesOf(documentOf(calls, shop, reportDocumentId, signal))) {
    if (line !== '') rows.push(line.split('\t').map((cell) => cell.replace('\uFEFF', '').trim()));
    // The first row holds the total, and all others hold the amounts.
    if (rows.length === 2) break;
  }
  return settlementIn(rows, nameOf(reportId));
}

/** Whether only this document is at fault: others can be read. */
function isOfDocument(error: unknown): boolean {
  return error instanceof ConnectorError && ['refused', 'unreadable', 'too_large'].includes(error.fault);
}

function nameOf(reportId: string): string {
  return `settlement report ${reportId}`;
}

function settlementIn([header = [], first = []]: readonly string[][], report: string): MoneyPage {
  const missing = COLUMNS.find((column) => !header.includes(column));
  if (missing !== undefined) return refusedPage(`${report}: column ${missing}`, 'unreadable');
  const cell = (column: Column): string => first[header.indexOf(column)] ?? '';
  const ref = cell('settlement-id');
  if (ref === '') return refusedPage(report, 'no_id');
  if (cell('currency') !== 'USD') return refusedPage(report, 'currency');
  const total = bookedCents(cell('total-amount'));
  if (typeof total === 'string') return refusedPage(`${report}: total-amount`, total);
  const refused: RefusedMoney[] = [];
  const moment = (column: Column): Instant | null => {
    const at = momentIn(cell(column));
    if (at === null) refused.push({ where: `${report}: ${column}`, why: 'unreadable' });
    return at;
  };
  const settlement: ReportedSettlement = {
    ref,
    from: moment('settlement-start-date'),
    to: moment('settlement-end-date'),
    paidAt: moment('deposit-date'),
    total,
    isClosed: true,
  };
  return { events: [], settlements: [settlement], refused };
}

function refusedPage(where: string, why: RefusedMoney['why']): MoneyPage {
  return { events: [], settlements: [], refused: [{ where, why }] };
}

/** "2026-11-02 08:00:00 UTC", or ISO 8601. */
function momentIn(text: string): Instant | null {
  const iso = text.replace(/^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d) UTC$/, '$1T$2Z');
  const read = z.iso.datetime({ offset: true }).safeParse(iso);
  return read.success ? instant(Date.parse(read.data)) : null;
}
