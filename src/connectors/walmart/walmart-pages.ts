import type { z } from 'zod';
import { CompletenessCheck } from '#connectors/completeness-check.ts';
import type { Account, CatalogTotal } from '#connectors/connector.ts';
import { ConnectorError, isOfPermission } from '#connectors/connector-error.ts';
import type { HttpCall } from '#connectors/http/http-client.ts';
import { parseResponse } from '#connectors/parse-response.ts';
import { isUnreadable, type UnreadableRow, unreadableRow } from '#connectors/passed-over.ts';
import { groupBy } from '#domain/group-by.ts';
import type { Instant } from '#domain/units.ts';
import { jsonBody, NAME, refusedBy, saysNotFound, type WalmartCalls } from './walmart-calls.ts';
import {
  CatalogPage,
  type CatalogRow,
  type Insight,
  InsightsPage,
  type Item,
  ItemsPage,
  QualityPage,
  type QualityRow,
} from './walmart-responses.ts';

/** Page limit, in case a response never ends pagination. */
const MAX_PAGES = 5_000;
const ITEMS_A_PAGE = 50;
const ROWS_A_PAGE = 200;
/** Used instead of a cursor where Walmart returns none: pages are requested by number. */
const BY_NUMBER = '';

interface Page<Row> {
  readonly rows: readonly Row[];
  readonly next: string | null;
}

export interface ItemsStart {
  /** As far as the first page says. */
  readonly total: number;
  /** Returns Walmart's total, and how many came. */
  readonly pages: AsyncGenerator<readonly (Item | UnreadableRow)[], CatalogTotal | null>;
}

/** The first page of items is requested immediately, the others as they are used. */
export async function itemPages(
  calls: WalmartCalls,
  account: Account,
  signal: AbortSignal,
): Promise<ItemsStart> {
  const ask = async (cursor: string | null) => {
    const query = new URLSearchParams({ nextCursor: cursor ?? '*', limit: String(ITEMS_A_PAGE) });
    const path = `/v3/items?${query}`;
    const call = { method: 'GET', path, operation: 'items' } as const;
    return readList(
      calls,
      account,
      call,
      { schema: ItemsPage, what: 'list of items', none: NO_ITEMS },
      signal,
    );
  };
  const first = await ask(null);
  const whole = new CompletenessCheck();
  const pages = pagesOf<Item | UnreadableRow>(async (cursor) => {
    const { ItemResponse: rows, nextCursor: next, totalItems } = cursor === null ? first : await ask(cursor);
    whole.takes(totalItems, rows.map(nameOf));
    return { rows, next };
  }, nameOf);
  return { total: first.totalItems ?? first.ItemResponse.length, pages: withTotal(pages, whole) };
}

const NO_ITEMS = { ItemResponse: [] };

/** Whether Walmart lists the items of this account; an account without any is one that it lists. @throws ConnectorError */
export async function checkItems(calls: WalmartCalls, account: Account, signal: AbortSignal): Promise<void> {
  const call = { method: 'GET', path: '/v3/items?limit=1', operation: 'items' } as const;
  await readList(calls, account, call, { schema: ItemsPage, what: 'list of items', none: NO_ITEMS }, signal);
}

/** Whether the key has the right to pricing insights; null where that is not answered. */
export async function mayReadInsights(
  calls: WalmartCalls,
  account: Account,
  signal: AbortSignal,
): Promise<boolean | null> {
  try {
    await readInsights(calls, account, { pageNumber: 0 }, signal);
    return true;
  } catch (error) {
    if (!(error instanceof ConnectorError) || signal.aborted) throw error;
    return isOfPermission(error) ? false : null;
  }
}

function nameOf(row: Item | UnreadableRow): string {
  return isUnreadable(row) ? keyOfUnreadable(row) : `${row.sku} ${row.wpid}`;
}

/** Two rows without a name are two rows. */
function keyOfUnreadable({ what, member, value }: UnreadableRow): string {
  return `${what} ${member} ${value}`;
}

async function* withTotal<Rows>(
  pages: AsyncGenerator<Rows>,
  whole: CompletenessCheck,
): AsyncGenerator<Rows, CatalogTotal | null> {
  yield* pages;
  return whole.total();
}

/** A list of the seller's own things, which is empty where Walmart says "not found". */
interface ListAnswer<Schema extends z.ZodType> {
  readonly schema: Schema;
  readonly what: string;
  /** The body of an empty list. */
  readonly none: unknown;
}

/** Walmart says "not found" with a status where it has nothing to list. */
async function readList<Schema extends z.ZodType>(
  calls: WalmartCalls,
  account: Account,
  call: HttpCall,
  { schema, what, none }: ListAnswer<Schema>,
  signal: AbortSignal,
): Promise<z.output<Schema>> {
  const answer = await calls.ask(account, { ...call, alsoAnswers: [404, 400] }, signal);
  const isNone = answer.status === 404 || (answer.status === 400 && saysNotFound(answer.body));
  if (answer.status === 400 && !isNone) throw refusedBy(answer.body);
  return parseResponse(NAME, schema, isNone ? { status: 200, body: none } : answer, what);
}

/** The catalog search results for all items, including their fulfillment type. Returns how many of them came. */
export function catalogPages(
  calls: WalmartCalls,
  account: Account,
  signal: AbortSignal,
): AsyncGenerator<readonly (CatalogRow | UnreadableRow)[], CatalogTotal | null> {
  const whole = new CompletenessCheck();
  const pages = pagesOf<CatalogRow | UnreadableRow>(async (cursor, page) => {
    const query = new URLSearchParams({ limit: String(ROWS_A_PAGE) });
    if (cursor === null || cursor === BY_NUMBER) query.set('page', String(page));
    else query.set('nextCursor', cursor);
    const path = `/v3/items/catalog/search?${query}`;
    const call = { method: 'POST', path, operation: 'catalog', body: jsonBody('{}') } as const;
    const requested = { schema: CatalogPage, what: 'catalog page', none: {} };
    const answer = await readList(calls, account, call, requested, signal);
    whole.takes(answer.totalItems, answer.payload.map(keyOfRow));
    const isMore = (page + 1) * ROWS_A_PAGE < (answer.totalItems ?? 0);
    return { rows: answer.payload, next: answer.nextCursor ?? (isMore ? BY_NUMBER : null) };
  }, keyOfRow);
  return withTotal(pages, whole);
}

function keyOfRow(row: CatalogRow | QualityRow | UnreadableRow): string {
  return isUnreadable(row) ? keyOfUnreadable(row) : `${row.sku} ${row.itemId}`;
}

export function qualityPages(
  calls: WalmartCalls,
  account: Account,
  signal: AbortSignal,
): AsyncGenerator<readonly (QualityRow | UnreadableRow)[]> {
  return pagesOf<QualityRow | UnreadableRow>(async (cursor) => {
    const query = new URLSearchParams({ limit: String(ROWS_A_PAGE) });
    if (cursor !== null) query.set('nextCursor', cursor);
    const path = `/v3/insights/items/listingQuality/items?${query}`;
    const call = { method: 'POST', path, operation: 'quality', body: jsonBody('{}') } as const;
    const requested = { schema: QualityPage, what: 'list of items', none: {} };
    const { payload, nextCursor } = await readList(calls, account, call, requested, signal);
    return { rows: payload, next: nextCursor };
  }, keyOfRow);
}

/** A page of Walmart's data about prices. */
export interface InsightPage {
  readonly rows: readonly (Insight | UnreadableRow)[];
  /** Before it was requested. */
  readonly readAt: Instant;
  /** How many pages come after it; null where Walmart does not say. */
  readonly left: number | null;
}

/** Walmart counts its pages while items come and go. */
const PAGES_OFF = 1;

/**
 * Walmart's data about the prices of all items.
 * @param signal that of the next page, where the pages are requested in several turns
 * @returns whether these were all: a list that ends before its last page was broken off
 */
export async function* insightPages(
  calls: WalmartCalls,
  account: Account,
  signal: AbortSignal | (() => AbortSignal),
): AsyncGenerator<InsightPage, boolean> {
  let total: number | null = null;
  let count = 0;
  let readAt = calls.now();
  const pages = pagesOf<Insight | UnreadableRow>(
    async (cursor, page) => {
      const requested = {
        pageNumber: page,
        ...(cursor === null || cursor === BY_NUMBER ? {} : { nextCursor: cursor }),
      };
      const current = typeof signal === 'function' ? signal() : signal;
      const answer = await readInsights(calls, account, requested, current);
      const { totalPages, nextCursor } = answer.pageContext ?? {};
      const isMore = totalPages != null && page + 1 < totalPages;
      total = totalPages ?? total;
      return { rows: answer.pricingInsightsResponseList, next: nextCursor ?? (isMore ? BY_NUMBER : null) };
    },
    (row) => (isUnreadable(row) ? keyOfUnreadable(row) : row.sku),
  );
  for await (const rows of pages) {
    count += 1;
    yield { rows, readAt, left: total === null ? null : Math.max(0, total - count) };
    readAt = calls.now();
  }
  return total === null || count >= total - PAGES_OFF;
}

/** The same for one SKU; empty when Walmart has none. */
export async function insightsOf(
  calls: WalmartCalls,
  account: Account,
  sku: string,
  signal: AbortSignal,
): Promise<readonly (Insight | UnreadableRow)[]> {
  const requested = { pageNumber: 0, searchCriteria: { searchType: 'SKU', searchValue: sku } };
  return (await readInsights(calls, account, requested, signal)).pricingInsightsResponseList;
}

async function readInsights(calls: WalmartCalls, account: Account, requested: object, signal: AbortSignal) {
  const body = jsonBody(JSON.stringify(requested));
  const call = { method: 'POST', path: '/v3/price/getPricingInsights', operation: 'insights', body } as const;
  const page = { schema: InsightsPage, what: 'page of pricing insights', none: {} };
  const answer = await readList(calls, account, call, page, signal);
  return {
    ...answer,
    pricingInsightsResponseList: withoutContradictions(answer.pricingInsightsResponseList),
  };
}

/** Of two different rows of one response with one SKU it is unknown which is right: neither counts. */
function withoutContradictions(
  rows: readonly (Insight | UnreadableRow)[],
): readonly (Insight | UnreadableRow)[] {
  const bySku = groupBy(rows, (row) => (isUnreadable(row) ? keyOfUnreadable(row) : row.sku.trim()));
  return [...bySku].flatMap(([sku, same]) => {
    const [first, ...others] = same;
    if (first === undefined || isUnreadable(first)) return same;
    const isTwice = others.some((other) => JSON.stringify(other) !== JSON.stringify(first));
    return [isTwice ? unreadableRow(sku, 'sku', 'two different rows') : first];
  });
}

/**
 * Pagination. Walmart may return the same cursor for all pages, so the end is recognized by the content of a page:
 * nothing, or nothing new.
 * @throws ConnectorError when it never ends
 */
async function* pagesOf<Row>(
  ask: (cursor: string | null, page: number) => Promise<Page<Row>>,
  keyOf: (row: Row) => string,
): AsyncGenerator<readonly Row[]> {
  const seen = new Set<string>();
  let cursor: string | null = null;
  for (let page = 0; page < MAX_PAGES; page++) {
    const { rows, next }: Page<Row> = await ask(cursor, page);
    const before = seen.size;
    for (const row of rows) seen.add(keyOf(row));
    if (seen.size === before) return;
    yield rows;
    if (next === null) return;
    cursor = next;
  }
  throw new ConnectorError('too_large', `${NAME} has more items than can be synced at once.`);
}
