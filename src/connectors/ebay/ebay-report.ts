import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { unzip } from 'fflate';
import type { Account, CatalogPage } from '#connectors/connector.ts';
import { ConnectorError } from '#connectors/connector-error.ts';
import { OwnPrice } from '#connectors/dollars.ts';
import { parseResponse } from '#connectors/parse-response.ts';
import { isUnreadable, readableOf, type UnreadableRow, unreadableRow } from '#connectors/passed-over.ts';
import { childAt, childrenOf, elementsOf, textAt, type XmlElement } from '#connectors/xml.ts';
import { type EbayCalls, NAME } from './ebay-calls.ts';
import { ReportTask } from './ebay-responses.ts';
import type { TradingItem, TradingOffer } from './trading/trading-item.ts';
import { type TradingContext, tradingRows } from './trading/trading-rows.ts';

type Row = CatalogPage['entries'][number];

const BETWEEN_LOOKS = 10_000;
/** Ten minutes; eBay documents minutes for the largest stores. */
const MAX_STATUS_CHECKS = 60;
const ROWS_PER_CHUNK = 500;
const MAX_BYTES = 128 * 1_024 * 1_024;

/**
 * Active listings outside of eBay's Inventory model, from its report of all active listings. Only "part" when this key may
 * not request the report.
 * @param known item numbers of the listings in that model
 */
export async function* readReport(
  calls: EbayCalls,
  known: ReadonlySet<string>,
  context: TradingContext,
  signal: AbortSignal,
): AsyncGenerator<CatalogPage, 'part' | 'whole'> {
  const { account } = context;
  const asOf = calls.now();
  const task = await begun(calls, account, signal);
  if (task === null) return 'part';
  await finished(calls, account, task, signal);
  const path = `/sell/feed/v1/task/${task}/download_result_file`;
  const { body } = await calls.asSeller(
    account,
    { method: 'GET', path, operation: 'report', headers: { accept: '*/*' }, reads: 'bytes' },
    signal,
  );
  const xml = Buffer.isBuffer(body) ? await unpacked(body) : null;
  if (xml === null) throw unreadableReport();
  let rows: Row[] = [];
  let looked = 0;
  for (const details of skusIn(xml)) {
    looked += 1;
    // Other work gets its turn between two chunks of a large report.
    if (looked % ROWS_PER_CHUNK === 0) await turn();
    rows.push(...rowsOf(details, known, context));
    if (rows.length >= ROWS_PER_CHUNK) {
      yield { asOf, source: 'document', entries: rows };
      rows = [];
    }
  }
  if (rows.length > 0) yield { asOf, source: 'document', entries: rows };
  return 'whole';
}

/** @returns the ID of the task; null when the key may not have the report */
async function begun(calls: EbayCalls, account: Account, signal: AbortSignal): Promise<string | null> {
  const request = { feedType: 'LMS_ACTIVE_INVENTORY_REPORT', schemaVersion: '1.0' };
  const { status, headers } = await calls.asSeller(
    account,
    {
      method: 'POST',
      path: '/sell/feed/v1/inventory_task',
      operation: 'report',
      body: { type: 'application/json', text: JSON.stringify(request) },
      alsoAnswers: [403],
      reads: 'nothing',
    },
    signal,
  );
  if (status === 403) return null;
  const { location } = headers;
  const task = typeof location === 'string' ? /\/([\w-]{1,100})\/?$/.exec(location)?.[1] : undefined;
  if (task === undefined) throw unreadableReport();
  return task;
}

async function finished(
  calls: EbayCalls,
  account: Account,
  task: string,
  signal: AbortSignal,
): Promise<void> {
  const wait = calls.wait ?? ((milliseconds: number) => pause(milliseconds, undefined, { signal }));
  for (let look = 0; look < MAX_STATUS_CHECKS; look++) {
    const path = `/sell/feed/v1/inventory_task/${task}`;
    const answer = await calls.asSeller(account, { method: 'GET', path, operation: 'report' }, signal);
    const { status } = parseResponse(NAME, ReportTask, answer, 'state of a report');
    if (status === 'COMPLETED' || status === 'COMPLETED_WITH_ERROR') return;
    if (status !== 'CREATED' && status !== 'QUEUED' && status !== 'IN_PROCESS') break;
    // An aborted caller gets its error from the next call.
    await wait(BETWEEN_LOOKS, signal).catch(() => undefined);
  }
  throw new ConnectorError('service', `${NAME} did not make the report of active listings. Try again later.`);
}

/** The only document in it, compressed or not; null for an invalid or too large one. */
async function unpacked(bytes: Buffer): Promise<string | null> {
  if (bytes.length === 0) return null;
  try {
    if (bytes[0] === 0x1f && bytes[1] === 0x8b) {
      return (await promisify(gunzip)(bytes, { maxOutputLength: MAX_BYTES })).toString('utf8');
    }
    return bytes.subarray(0, 2).toString('latin1') === 'PK' ? await unzipped(bytes) : bytes.toString('utf8');
  } catch {
    return null;
  }
}

async function unzipped(bytes: Buffer): Promise<string | null> {
  let taken = 0;
  const files = await new Promise<Record<string, Uint8Array>>((resolve, reject) => {
    const filter = ({ originalSize }: { originalSize: number }) => originalSize <= MAX_BYTES && taken++ === 0;
    unzip(bytes, { filter }, (error, found) => (error === null ? resolve(found) : reject(error)));
  });
  const [file] = Object.values(files);
  return file === undefined ? null : Buffer.from(file).toString('utf8');
}

function* skusIn(xml: string): Generator<XmlElement> {
  try {
    yield* elementsOf(xml, 'SKUDetails');
  } catch (error) {
    throw error instanceof SyntaxError ? unreadableReport() : error;
  }
}

/** A listing, or each of its variations. */
function rowsOf(details: XmlElement, known: ReadonlySet<string>, context: TradingContext): readonly Row[] {
  const itemId = textAt(details, 'ItemID');
  if (!/^\d{1,30}$/.test(itemId)) return [unreadableRow(textAt(details, 'SKU'), 'ItemID', itemId)];
  if (known.has(itemId)) return [];
  const variations = childrenOf(childAt(details, 'Variations'), 'Variation');
  const parts = variations.length === 0 ? [details] : variations;
  const offers = parts.map((part) => offerOf(part, itemId));
  const item: TradingItem = {
    itemId,
    // The report has no titles, and says nothing about kind, sale and conditions.
    title: '',
    imageUrl: null,
    isFixedPrice: true,
    isActive: true,
    offers: readableOf(offers),
    hasVariations: variations.length > 0,
    bestOffer: undefined,
    isTrackedBySku: false,
    gtin: null,
    epid: null,
    categoryId: null,
  };
  return [...tradingRows(item, context), ...offers.filter(isUnreadable)];
}

function offerOf(part: XmlElement, itemId: string): TradingOffer | UnreadableRow {
  const sku = textAt(part, 'SKU');
  const price = childAt(part, 'Price');
  const reported = OwnPrice.safeParse(price?.text ?? null);
  const quantity = textAt(part, 'Quantity');
  const what = sku || `eBay item ${itemId}`;
  if (!reported.success) return unreadableRow(what, 'Price', price?.text);
  if (!/^\d{0,9}$/.test(quantity)) return unreadableRow(what, 'Quantity', quantity);
  return {
    sku,
    price: reported.data,
    currency: price?.attributes.currencyID ?? null,
    quantity: quantity === '' ? null : Number(quantity),
    saleEnds: null,
    mapPrice: null,
  };
}

function unreadableReport(): ConnectorError {
  return new ConnectorError(
    'unreadable',
    `Unexpected response from ${NAME}: not a valid report of active listings.`,
  );
}
