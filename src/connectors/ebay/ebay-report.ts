import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { unzip } from 'fflate';
import type { Account, CatalogPage } from '#connectors/connector.ts';
import { ConnectorError } from '#connectors/connector-error.ts';
import { OwnPrice, pricePart } from '#connectors/dollars.ts';
import { parseResponse } from '#connectors/parse-response.ts';
import { unreadableRow } from '#connectors/passed-over.ts';
import { type EbayCalls, NAME } from './ebay-calls.ts';
import { ReportTask } from './ebay-responses.ts';
import { elementsOf, type XmlElement } from './report-xml.ts';

type Row = CatalogPage['entries'][number];

const BETWEEN_LOOKS = 10_000;
/** Ten minutes; eBay documents minutes for the largest stores. */
const MAX_STATUS_CHECKS = 60;
const ROWS_PER_CHUNK = 500;
const MAX_BYTES = 128 * 1_024 * 1_024;
const LONGEST_SKU = 200;
const OUTSIDE =
  "It was listed outside eBay's Inventory model, where its price cannot be changed from here. Migrate the listing in eBay first.";

interface Known {
  /** Offers by SKU. */
  readonly offers: ReadonlyMap<string, string>;
  /** eBay's listing IDs. */
  readonly listings: ReadonlySet<string>;
}

/**
 * Active listings outside of eBay's Inventory model, from its report of all active listings: for display, not to be
 * priced. Only "part" when this key may not request the report.
 * @param known what was read already
 */
export async function* readReport(
  calls: EbayCalls,
  account: Account,
  known: Known,
  signal: AbortSignal,
): AsyncGenerator<CatalogPage, 'part' | 'whole'> {
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
  const seen = new Set(known.offers.keys());
  let looked = 0;
  for (const details of skusIn(xml)) {
    looked += 1;
    // Other work gets its turn between two chunks of a large report.
    if (looked % ROWS_PER_CHUNK === 0) await turn();
    rows.push(...rowsOf(details, known.listings, seen));
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
function rowsOf(details: XmlElement, known: ReadonlySet<string>, seen: Set<string>): Row[] {
  const itemId = textOf(details, 'ItemID');
  if (!/^\d{1,30}$/.test(itemId)) return [unreadableRow(textOf(details, 'SKU'), 'ItemID', itemId)];
  if (known.has(itemId)) return [];
  const variations = childOf(details, 'Variations')?.children ?? [];
  return (variations.length === 0 ? [details] : variations).map((one) => rowOf(one, itemId, seen));
}

function rowOf(one: XmlElement, itemId: string, seen: Set<string>): Row {
  const sku = textOf(one, 'SKU');
  const price = childOf(one, 'Price');
  const told = OwnPrice.safeParse(price?.text ?? null);
  const quantity = textOf(one, 'Quantity');
  const what = (sku || `eBay item ${itemId}`).slice(0, LONGEST_SKU);
  if (sku === '' || sku.length > LONGEST_SKU) return { kind: 'passed_over', what, why: 'no_sku' };
  if (seen.has(sku)) return { kind: 'passed_over', what, why: 'repeated' };
  seen.add(sku);
  if (!told.success) return unreadableRow(what, 'Price', price?.text);
  if (!/^\d{0,9}$/.test(quantity)) return unreadableRow(what, 'Quantity', quantity);
  if (price !== undefined && !price.tag.includes('currencyID="USD"')) {
    return { kind: 'passed_over', what, why: 'other_currency' };
  }
  return {
    kind: 'listing',
    sku,
    itemId,
    // The report has no titles.
    title: sku,
    imageUrl: null,
    ...pricePart(told.data),
    fulfillmentType: 'FBM',
    quantity: quantity === '' ? null : Number(quantity),
    isActive: true,
    notRepriceableReason: OUTSIDE,
    keys: { listingId: itemId },
  };
}

function childOf(element: XmlElement, name: string): XmlElement | undefined {
  return element.children.find((child) => child.name === name);
}

function textOf(element: XmlElement, name: string): string {
  return (childOf(element, name)?.text ?? '').replaceAll('\0', '').trim();
}

function unreadableReport(): ConnectorError {
  return new ConnectorError(
    'unreadable',
    `Unexpected response from ${NAME}: not a valid report of active listings.`,
  );
}
