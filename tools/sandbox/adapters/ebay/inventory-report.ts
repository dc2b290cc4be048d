import type { FastifyInstance } from 'fastify';
import { zipSync } from 'fflate';
import { z } from 'zod';
import type { AdapterContext } from '#sandbox/adapters/adapter.ts';
import { dollarText } from '#sandbox/adapters/money.ts';
import { pathText } from '#sandbox/adapters/query.ts';
import type { Market } from '#sandbox/world/market.ts';
import type { Task } from '#sandbox/world/tasks.ts';
import { ebayError } from './ebay-errors.ts';

const FEED = '/sell/feed/v1';
const FEED_TYPE = 'LMS_ACTIVE_INVENTORY_REPORT';
const PROCESSING_TIME = 2 * 60_000;
const STATUS = { waiting: 'QUEUED', working: 'IN_PROCESS', done: 'COMPLETED' } as const;

const NewTask = z.looseObject({ feedType: z.string(), schemaVersion: z.string() });

/** The report of all active listings, including those that the Inventory API does not know. */
export function addInventoryReport(app: FastifyInstance, market: Market, tools: AdapterContext): void {
  const path = `${FEED}/inventory_task`;
  let made = 0;
  app.post(path, { config: { operation: 'createInventoryTask' } }, async (request, reply) => {
    const body = NewTask.safeParse(request.body);
    if (!body.success || body.data.feedType !== FEED_TYPE) {
      throw ebayError(160_017, 'API_FEED', "The 'feedType' is missing or invalid.");
    }
    const { id } = market.tasks.start(`task-20-${++made}`, 'report', PROCESSING_TIME, () => reportOf(market));
    return reply.code(202).header('location', `${tools.address()}${path}/${id}`).send();
  });
  const taskOf = (id: string): Task => {
    const task = market.tasks.find(id);
    if (task?.kind === 'report') return task;
    throw ebayError(160_010, 'API_FEED', `No task for ID '${id}' was found.`, 404);
  };
  app.get(`${path}/:taskId`, { config: { operation: 'getInventoryTask' } }, async (request) => {
    const { id, state, createdAt, doneAt } = taskOf(pathText(request, 'taskId'));
    return {
      taskId: id,
      status: STATUS[state],
      feedType: FEED_TYPE,
      schemaVersion: '1.0',
      creationDate: new Date(createdAt).toISOString(),
      ...(doneAt === null ? {} : { completionDate: new Date(doneAt).toISOString() }),
      detailHref: `${tools.address()}${path}/${id}`,
    };
  });
  const download = `${FEED}/task/:taskId/download_result_file`;
  app.get(download, { config: { operation: 'getResultFile' } }, async (request, reply) => {
    const { id, output } = taskOf(pathText(request, 'taskId'));
    if (output === null) throw ebayError(160_014, 'API_FEED', 'The task is not complete.', 404);
    const zip = zipSync({ [`${id}.xml`]: Buffer.from(output) }, { mtime: new Date('2026-01-01T00:00:00Z') });
    return reply
      .header('content-type', 'application/octet-stream')
      .header('content-disposition', `attachment; filename=${id}.zip`)
      .send(Buffer.from(zip));
  });
}

function reportOf(market: Market): string {
  const rows = market
    .itemsIn('document')
    .filter(({ isActive }) => isActive)
    .map(({ sku, price, quantity, itemId }) => {
      const amount = `<Price currencyID="USD">${dollarText(price)}</Price>`;
      return `<SKUDetails><SKU>${escaped(sku)}</SKU>${amount}<Quantity>${quantity}</Quantity><ItemID>${itemId}</ItemID></SKUDetails>`;
    });
  const moment = new Date(market.now()).toISOString();
  const report = `<ActiveInventoryReport xmlns="urn:ebay:apis:eBLBaseComponents"><Timestamp>${moment}</Timestamp><Ack>Success</Ack>${rows.join('')}</ActiveInventoryReport>`;
  return `<?xml version="1.0" encoding="UTF-8"?><BulkDataExchangeResponses xmlns="urn:ebay:apis:eBLBaseComponents">${report}</BulkDataExchangeResponses>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
