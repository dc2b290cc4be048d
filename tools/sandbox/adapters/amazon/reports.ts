import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { pathText, queryList, queryNumber, queryText } from '#sandbox/adapters/query.ts';
import type { Market } from '#sandbox/world/market.ts';
import { MARKETPLACE_ID } from './amazon-auth.ts';
import { amazonRefusal } from './amazon-errors.ts';
import type { Documents } from './documents.ts';
import { fbaFeeReport } from './fba-fee-report.ts';
import { requireMoneyRight } from './finances.ts';
import { merchantListings, salesAndTraffic } from './report-texts.ts';
import { endedSettlements, settlementReport } from './settlements.ts';
import { statusOf } from './task-status.ts';

const PROCESSING_TIME = 3 * 60_000;

const NewReport = z.looseObject({
  reportType: z.string().min(1),
  marketplaceIds: z.array(z.string()).min(1),
  reportOptions: z.record(z.string(), z.string()).optional(),
  dataStartTime: z.string().optional(),
  dataEndTime: z.string().optional(),
});
type NewReport = z.infer<typeof NewReport>;

/** The report types with their content types and writers. */
const KINDS: Readonly<
  Record<string, { readonly type: string; readonly write: (market: Market, requested: NewReport) => string }>
> = {
  GET_MERCHANT_LISTINGS_ALL_DATA: {
    type: 'text/tab-separated-values; charset=UTF-8',
    write: merchantListings,
  },
  GET_FBA_ESTIMATED_FBA_FEES_TXT_DATA: {
    type: 'text/tab-separated-values; charset=UTF-8',
    write: fbaFeeReport,
  },
  GET_SALES_AND_TRAFFIC_REPORT: {
    type: 'application/json; charset=UTF-8',
    write: (market, requested) => salesAndTraffic(market, requested.dataStartTime, requested.dataEndTime),
  },
};

/** The Reports API, 2021-06-30. */
export function addReports(app: FastifyInstance, market: Market, documents: Documents): void {
  const base = '/reports/2021-06-30';
  const requested = new Map<string, NewReport>();
  app.post(`${base}/reports`, { config: { operation: 'createReport' } }, async (request, reply) => {
    const body = NewReport.safeParse(request.body);
    const kind = body.success ? KINDS[body.data.reportType] : undefined;
    if (!body.success || kind === undefined || !body.data.marketplaceIds.includes(MARKETPLACE_ID)) {
      throw amazonRefusal(400, 'The report type or the marketplace is not supported.');
    }
    const reportId = String(60_000_000_000 + requested.size + 1);
    requested.set(reportId, body.data);
    market.tasks.start(reportId, 'report', PROCESSING_TIME, () => {
      const text = kind.write(market, body.data);
      documents.keep(documentOf(reportId), kind.type, text);
      return text;
    });
    return reply.code(202).send({ reportId });
  });
  app.get(`${base}/reports`, { config: { operation: 'getReports' } }, async (request) => {
    requireMoneyRight(market);
    return settlementReports(market, documents, request);
  });
  app.get(`${base}/reports/:reportId`, { config: { operation: 'getReport' } }, async (request) => {
    const reportId = pathText(request, 'reportId');
    const task = market.tasks.find(reportId);
    const report = requested.get(reportId);
    if (task === null || report === undefined) throw amazonRefusal(404);
    return {
      reportId,
      reportType: report.reportType,
      marketplaceIds: report.marketplaceIds,
      ...statusOf(task),
      ...(task.state === 'done' ? { reportDocumentId: documentOf(reportId) } : {}),
    };
  });
  app.get(`${base}/documents/:id`, { config: { operation: 'getReportDocument' } }, async (request) => {
    const reportDocumentId = pathText(request, 'id');
    const view = documents.view(reportDocumentId);
    if (view === null) throw amazonRefusal(404);
    return { reportDocumentId, ...view };
  });
}

const SETTLEMENT = 'GET_V2_SETTLEMENT_REPORT_DATA_FLAT_FILE_V2';

/** Settlement reports cannot be requested: Amazon makes one at the end of each period. */
function settlementReports(market: Market, documents: Documents, request: FastifyRequest) {
  const size = queryNumber(request, 'pageSize', 10, 100);
  const from = queryNumber(request, 'nextToken', 0, 999_999_999);
  const since = Date.parse(queryText(request, 'createdSince') ?? '') || 0;
  const isAsked =
    queryText(request, 'nextToken') !== null || queryList(request, 'reportTypes').includes(SETTLEMENT);
  if (!isAsked || !(size >= 1) || Number.isNaN(from)) {
    throw amazonRefusal(400, 'The report type or the page is not supported.');
  }
  const ended = endedSettlements(market).filter((number) => market.money.spanOf(number).to >= since);
  const newestFirst = ended.toReversed();
  const reports = newestFirst.slice(from, from + size).map((number) => {
    const reportId = String(70_000_000_000 + number);
    const { from: start, to } = market.money.spanOf(number);
    const type = 'text/tab-separated-values; charset=UTF-8';
    documents.keep(documentOf(reportId), type, settlementReport(market, number));
    const [dataStartTime, dataEndTime] = [start, to].map((moment) => new Date(moment).toISOString());
    return {
      reportId,
      reportType: SETTLEMENT,
      marketplaceIds: [MARKETPLACE_ID],
      dataStartTime,
      dataEndTime,
      createdTime: dataEndTime,
      processingStatus: 'DONE',
      reportDocumentId: documentOf(reportId),
    };
  });
  const next = from + size;
  return { reports, ...(next < newestFirst.length ? { nextToken: String(next) } : {}) };
}

function documentOf(reportId: string): string {
  return `amzn1.spdoc.1.4.na.${reportId}`;
}
