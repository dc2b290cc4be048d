import { z } from 'zod';
import { ConnectorError } from '#connectors/connector-error.ts';
import type { AmazonCalls } from './amazon-calls.ts';
import { DocumentAnswer, readDocument } from './amazon-documents.ts';
import { Id, read } from './amazon-responses.ts';
import type { AmazonShop } from './amazon-shop.ts';

const REPORTS = '/reports/2021-06-30';
/** Milliseconds between two status checks: short at first, since small reports are quick. */
const FIRST_LOOK = 5_000;
const LONGEST_PAUSE = 60_000;
/** Forty checks take more than half an hour; a slower report is requested again by a later sync. */
const MAX_STATUS_CHECKS = 40;

const Created = z.object({ reportId: Id });
const Report = z.object({ processingStatus: z.string(), reportDocumentId: Id.nullish() });

/** The request, in the format of createReport. */
export interface ReportSpec {
  readonly reportType: 'GET_MERCHANT_LISTINGS_ALL_DATA' | 'GET_SALES_AND_TRAFFIC_REPORT';
  readonly reportOptions?: Readonly<Record<string, string>>;
  readonly dataStartTime?: string;
  readonly dataEndTime?: string;
}

/**
 * Requests a report, waits for it, and streams it in chunks.
 * @throws ConnectorError, of fault "service" when Amazon fails to create it or takes too long
 */
export async function* readReport(
  calls: AmazonCalls,
  shop: AmazonShop,
  spec: ReportSpec,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  const text = JSON.stringify({ ...spec, marketplaceIds: [shop.marketplaceId] });
  const created = await calls.ask(
    shop,
    { method: 'POST', path: `${REPORTS}/reports`, operation: 'createReport', text, isPatient: true },
    signal,
  );
  const { reportId } = read(Created, created.body, 'report');
  yield* documentOf(calls, shop, await finished(calls, shop, reportId, signal), signal);
}

/** Streams the document of a finished report in chunks. */
export async function* documentOf(
  calls: AmazonCalls,
  shop: AmazonShop,
  documentId: string,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  const path = `${REPORTS}/documents/${encodeURIComponent(documentId)}`;
  const answer = await calls.ask(
    shop,
    { method: 'GET', path, operation: 'reportDocument', isPatient: true },
    signal,
  );
  yield* readDocument(calls, read(DocumentAnswer, answer.body, 'document'), signal);
}

async function finished(
  calls: AmazonCalls,
  shop: AmazonShop,
  reportId: string,
  signal: AbortSignal,
): Promise<string> {
  const path = `${REPORTS}/reports/${encodeURIComponent(reportId)}`;
  let pause = FIRST_LOOK;
  for (let look = 1; look <= MAX_STATUS_CHECKS; look++) {
    await rest(calls, pause, signal);
    pause = Math.min(pause * 2, LONGEST_PAUSE);
    const answer = await calls.ask(
      shop,
      { method: 'GET', path, operation: 'report', isPatient: true },
      signal,
    );
    const { processingStatus: status, reportDocumentId } = read(Report, answer.body, 'report');
    if (status === 'DONE' && reportDocumentId != null) return reportDocumentId;
    if (status !== 'IN_QUEUE' && status !== 'IN_PROGRESS') {
      throw new ConnectorError(
        'service',
        'Amazon did not make the report that was asked for. Try again in an hour.',
        {
          code: status,
        },
      );
    }
  }
  throw new ConnectorError('service', 'Amazon did not finish the report in time. Try again in an hour.');
}

async function rest({ wait }: AmazonCalls, milliseconds: number, signal: AbortSignal): Promise<void> {
  await wait(milliseconds, signal).catch(() => undefined);
  if (signal.aborted) {
    throw new ConnectorError('time', 'Amazon took too long to respond. Try again later.');
  }
}
