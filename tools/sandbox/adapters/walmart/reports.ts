import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { strToU8, zipSync } from 'fflate';
import type { AdapterContext } from '#sandbox/adapters/adapter.ts';
import { dollarText } from '#sandbox/adapters/money.ts';
import { pathText, queryText } from '#sandbox/adapters/query.ts';
import type { MarketItem } from '#sandbox/world/item.ts';
import type { Market } from '#sandbox/world/market.ts';
import { featuredOffer } from '#sandbox/world/offers.ts';
import type { Task } from '#sandbox/world/tasks.ts';
import { walmartRefusal } from './walmart-errors.ts';

const MINUTE = 60_000;
const PROCESSING_TIME = 20 * MINUTE;
/** Milliseconds for which a download address is valid. */
const DOWNLOAD_LIFETIME = 10 * MINUTE;

type Row = Readonly<Record<string, string>>;

/** The row of an item in each type of report. */
const ROWS: Readonly<Record<string, (market: Market, item: MarketItem) => Row>> = {
  BUYBOX: buyBoxRow,
  ITEM: itemRow,
};
const STATUS = { waiting: 'RECEIVED', working: 'INPROGRESS', done: 'READY' } as const;

/** On-request reports: a zipped CSV file at an address that expires. */
export function addReports(app: FastifyInstance, market: Market): void {
  const versions = new Map<string, string>();
  const view = (task: Task) => ({
    requestId: task.id,
    requestStatus: STATUS[task.state],
    requestSubmissionDate: momentText(task.createdAt),
    reportType: task.kind,
    reportVersion: versions.get(task.id) ?? 'v1',
    ...(task.doneAt === null ? {} : { reportGenerationDate: momentText(task.doneAt) }),
  });
  const find = (requestId: string): Task => {
    const task = versions.has(requestId) ? market.tasks.find(requestId) : null;
    if (task === null) throw walmartRefusal(404, 'There is no such report request.', 'requestId');
    return task;
  };
  const path = '/v3/reports/reportRequests';
  app.post(path, { config: { operation: 'generateReport' } }, async (request) => {
    const type = queryText(request, 'reportType') ?? '';
    const row = ROWS[type];
    const version = queryText(request, 'reportVersion');
    if (row === undefined || version === null) {
      throw walmartRefusal(400, 'The type or the version of the report is not supported.', 'reportType');
    }
    const requestId = randomUUID();
    versions.set(requestId, version);
    return view(
      market.tasks.start(requestId, type, PROCESSING_TIME, () =>
        csvOf(market.items().map((item) => row(market, item))),
      ),
    );
  });
  app.get(`${path}/:requestId`, { config: { operation: 'getSingleRequestStatus' } }, async (request) =>
    view(find(pathText(request, 'requestId'))),
  );
}

/** The address of a finished report. */
export function addDownloads(app: FastifyInstance, market: Market, tools: AdapterContext): void {
  app.get('/v3/reports/downloadReport', { config: { operation: 'downloadReport' } }, async (request) => {
    const task = market.tasks.find(queryText(request, 'requestId') ?? '');
    if (task?.state !== 'done' || ROWS[task.kind] === undefined) {
      throw walmartRefusal(404, 'The report is not ready.', 'requestId');
    }
    const endsAt = market.now() + DOWNLOAD_LIFETIME;
    return {
      requestId: task.id,
      requestStatus: 'READY',
      reportType: task.kind,
      requestSubmissionDate: momentText(task.createdAt),
      reportGenerationDate: momentText(task.doneAt ?? task.createdAt),
      downloadURL: `${tools.address()}/_downloads/${task.id}.zip?se=${endsAt}&sig=sandbox`,
      downloadURLExpirationTime: momentText(endsAt),
    };
  });
}

/** The report files; they need no token. */
export function addReportFiles(app: FastifyInstance, market: Market): void {
  app.get('/_downloads/:file', { config: { operation: 'fetchReportFile' } }, async (request, reply) => {
    const id = pathText(request, 'file').replace(/\.zip$/, '');
    const output = market.tasks.find(id)?.output ?? null;
    const isLate = Number(queryText(request, 'se') ?? '0') < market.now();
    if (output === null || isLate) return reply.code(403).type('application/xml').send('<Error/>');
    reply.type('application/zip');
    return reply.send(Buffer.from(zipSync({ [`${id}.csv`]: strToU8(output) })));
  });
}

function momentText(moment: number): string {
  return `${new Date(moment).toISOString().slice(0, 19)}Z`;
}

function buyBoxRow(market: Market, one: MarketItem): Row {
  const item = market.seenIn('document', one);
  const featured = featuredOffer(market.seenIn('box', one));
  return {
    SKU: item.sku,
    'Item ID': item.itemId,
    'Seller Item Price': dollarText(item.price),
    'Seller Ship Price': dollarText(item.shippingCharge),
    isSellerBuyBoxWinner: featured?.competitor === null ? 'Yes' : 'No',
    'BuyBox Item Price': featured === null ? '' : dollarText(featured.price),
    'BuyBox Ship Price': featured === null ? '' : dollarText(featured.shippingCharge),
  };
}

function itemRow(market: Market, one: MarketItem): Row {
  const item = market.seenIn('document', one);
  return {
    SKU: item.sku,
    'Item ID': item.itemId,
    'Product Name': item.title,
    'Lifecycle Status': 'ACTIVE',
    'Publish Status': item.isActive ? 'PUBLISHED' : 'UNPUBLISHED',
    'Product Category': item.category,
    Price: dollarText(item.price),
    Currency: 'USD',
    'Inventory Count': String(item.quantity),
    'Fulfillment Type': item.fulfillmentType === 'FBA/WFS' ? 'Walmart Fulfilled' : 'Seller Fulfilled',
    WPID: item.keys.wpid ?? '',
    GTIN: item.keys.gtin ?? '',
    'Primary Image URL': item.imageUrl ?? '',
    'Reviews Count': String(item.reviewCount),
    'Average Rating': (item.averageRating / 100).toFixed(2),
  };
}

function csvOf(rows: readonly Row[]): string {
  const head = Object.keys(rows[0] ?? {});
  const lines = [head, ...rows.map((row) => head.map((name) => row[name] ?? ''))];
  return lines.map((cells) => `${cells.map(cell).join(',')}\r\n`).join('');
}

function cell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
