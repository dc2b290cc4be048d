import { CompletenessCheck } from '#connectors/completeness-check.ts';
import type { Account } from '#connectors/connector.ts';
import { ConnectorError } from '#connectors/connector-error.ts';
import { jsonBody, NAME, type WalmartCalls } from './walmart-calls.ts';
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
  readonly pages: AsyncGenerator<readonly Item[]>;
}

/**
 * The first page of items is requested immediately, the others as they are used. They end with a ConnectorError
 * when fewer items were received than Walmart's total.
 */
export async function itemPages(
  calls: WalmartCalls,
  account: Account,
  signal: AbortSignal,
): Promise<ItemsStart> {
  const ask = async (cursor: string | null) => {
    const query = new URLSearchParams({ nextCursor: cursor ?? '*', limit: String(ITEMS_A_PAGE) });
    const path = `/v3/items?${query}`;
    const call = { method: 'GET', path, operation: 'items' } as const;
    return calls.read(account, call, ItemsPage, 'list of items', signal);
  };
  const first = await ask(null);
  const whole = new CompletenessCheck(NAME, 'items');
  const pages = pagesOf<Item>(async (cursor) => {
    const { ItemResponse: rows, nextCursor: next, totalItems } = cursor === null ? first : await ask(cursor);
    whole.takes(totalItems, rows.map(nameOf));
    return { rows, next };
  }, nameOf);
  return { total: first.totalItems ?? first.ItemResponse.length, pages: untilWhole(pages, whole) };
}

const nameOf = ({ sku, wpid }: Item): string => `${sku} ${wpid}`;

async function* untilWhole<Rows>(
  pages: AsyncGenerator<Rows>,
  whole: CompletenessCheck,
): AsyncGenerator<Rows> {
  yield* pages;
  whole.end();
}

/**
 * The catalog search results for all items, including their fulfillment type: checked for completeness, since a
 * missing row means nothing.
 */
export function catalogPages(
  calls: WalmartCalls,
  account: Account,
  signal: AbortSignal,
): AsyncGenerator<readonly CatalogRow[]> {
  const whole = new CompletenessCheck(NAME, 'items in its catalog search');
  const keyOf = ({ sku, itemId }: CatalogRow): string => `${sku} ${itemId}`;
  const pages = pagesOf<CatalogRow>(async (cursor, page) => {
    const query = new URLSearchParams({ limit: String(ROWS_A_PAGE) });
    if (cursor === null || cursor === BY_NUMBER) query.set('page', String(page));
    else query.set('nextCursor', cursor);
    const path = `/v3/items/catalog/search?${query}`;
    const call = { method: 'POST', path, operation: 'catalog', body: jsonBody('{}') } as const;
    const answer = await calls.read(account, call, CatalogPage, 'catalog page', signal);
    whole.takes(answer.totalItems, answer.payload.map(keyOf));
    const isMore = (page + 1) * ROWS_A_PAGE < (answer.totalItems ?? 0);
    return { rows: answer.payload, next: answer.nextCursor ?? (isMore ? BY_NUMBER : null) };
  }, keyOf);
  return untilWhole(pages, whole);
}

export function qualityPages(
  calls: WalmartCalls,
  account: Account,
  signal: AbortSignal,
): AsyncGenerator<readonly QualityRow[]> {
  return pagesOf<QualityRow>(
    async (cursor) => {
      const query = new URLSearchParams({ limit: String(ROWS_A_PAGE) });
      if (cursor !== null) query.set('nextCursor', cursor);
      const path = `/v3/insights/items/listingQuality/items?${query}`;
      const call = { method: 'POST', path, operation: 'quality', body: jsonBody('{}') } as const;
      const { payload, nextCursor } = await calls.read(account, call, QualityPage, 'list of items', signal);
      return { rows: payload, next: nextCursor };
    },
    ({ sku, itemId }) => `${sku} ${itemId}`,
  );
}

/**
 * Walmart's data about the prices of all items.
 * @param signal that of the next page, where the pages are requested in several turns
 */
export function insightPages(
  calls: WalmartCalls,
  account: Account,
  signal: AbortSignal | (() => AbortSignal),
): AsyncGenerator<readonly Insight[]> {
  return pagesOf<Insight>(
    async (cursor, page) => {
      const asked = {
        pageNumber: page,
        ...(cursor === null || cursor === BY_NUMBER ? {} : { nextCursor: cursor }),
      };
      const current = typeof signal === 'function' ? signal() : signal;
      const answer = await readInsights(calls, account, asked, current);
      const { totalPages, nextCursor } = answer.pageContext ?? {};
      const isMore = totalPages != null && page + 1 < totalPages;
      return { rows: answer.pricingInsightsResponseList, next: nextCursor ?? (isMore ? BY_NUMBER : null) };
    },
    ({ sku }) => sku,
  );
}

/** The same for one SKU; empty when Walmart has none. */
export async function insightsOf(
  calls: WalmartCalls,
  account: Account,
  sku: string,
  signal: AbortSignal,
): Promise<readonly Insight[]> {
  const asked = { pageNumber: 0, searchCriteria: { searchType: 'SKU', searchValue: sku } };
  return (await readInsights(calls, account, asked, signal)).pricingInsightsResponseList;
}

function readInsights(calls: WalmartCalls, account: Account, asked: object, signal: AbortSignal) {
  const body = jsonBody(JSON.stringify(asked));
  const call = { method: 'POST', path: '/v3/price/getPricingInsights', operation: 'insights', body } as const;
  return calls.read(account, call, InsightsPage, 'page of pricing insights', signal);
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
