import { CompletenessCheck } from '#connectors/completeness-check.ts';
import type { Account, CatalogPage, CatalogTotal } from '#connectors/connector.ts';
import { ConnectorError } from '#connectors/connector-error.ts';
import { type EbayCalls, NAME } from '#connectors/ebay/ebay-calls.ts';
import { isUnreadable, readableOf, type UnreadableRow } from '#connectors/passed-over.ts';
import { childAt, childrenOf, textAt } from '#connectors/xml.ts';
import type { SellerListings } from './seller-listings.ts';
import { readTrading } from './trading-call.ts';
import { itemIdIn, type TradingItem, type TradingItems, tradingItem } from './trading-item.ts';
import { type TradingContext, tradingRows } from './trading-rows.ts';

const PAGE_SIZE = 200;
/** With more pages (20,000 listings) reading them every hour takes too many of the day's calls. */
const MAX_PAGES = 100;

/**
 * Active listings outside of the Inventory model, from the list of everything that the seller has active.
 * @param known item numbers of the listings in the Inventory model
 * @returns the total of that list; `too_many` where it is too long to be read each time
 */
export async function* readTradingList(
  calls: EbayCalls,
  book: SellerListings,
  known: ReadonlySet<string>,
  context: TradingContext,
  signal: AbortSignal,
): AsyncGenerator<CatalogPage, CatalogTotal | 'too_many' | null> {
  const { account } = context;
  const whole = new CompletenessCheck();
  for (let page = 1; ; page++) {
    const asOf = calls.now();
    const { items, unreadable, pages, total } = await listPage(calls, account, page, signal);
    if (page === 1 && pages > MAX_PAGES) return 'too_many';
    whole.takes(
      total,
      items.map((item) => (isUnreadable(item) ? item.what : item.itemId)),
    );
    book.note(account, { items: readableOf(items), unreadable }, asOf);
    const entries = items
      .filter((item) => isUnreadable(item) || !known.has(item.itemId))
      .flatMap((item) => (isUnreadable(item) ? [item] : tradingRows(book.completed(account, item), context)));
    if (entries.length > 0) yield { asOf, source: 'list', entries };
    if (page >= pages) return whole.total();
    if (page >= MAX_PAGES)
      throw new ConnectorError('too_large', `${NAME} has more listings than can be synced at once.`);
  }
}

interface ListPage {
  readonly items: readonly (TradingItem | UnreadableRow)[];
  /** Item numbers of those that could not be read. */
  readonly unreadable: TradingItems['unreadable'];
  readonly pages: number;
  readonly total: number | null;
}

async function listPage(
  calls: EbayCalls,
  account: Account,
  page: number,
  signal: AbortSignal,
): Promise<ListPage> {
  const pagination = `<Pagination><EntriesPerPage>${PAGE_SIZE}</EntriesPerPage><PageNumber>${page}</PageNumber></Pagination>`;
  const content = `<ActiveList><Sort>TimeLeft</Sort>${pagination}</ActiveList>`;
  const call = { name: 'GetMyeBaySelling', operation: 'trading_lists', content } as const;
  const root = await readTrading(calls, account, call, signal);
  const list = childAt(root, 'ActiveList');
  const pages = figure(textAt(list, 'PaginationResult', 'TotalNumberOfPages'));
  const rows = childrenOf(childAt(list, 'ItemArray'), 'Item');
  // Without anything active the list is missing, and only then.
  if (list !== undefined && pages === null) {
    throw new ConnectorError(
      'unreadable',
      `Unexpected response from ${NAME}: not a valid list of active listings.`,
    );
  }
  const items = rows.map((row) => tradingItem(row, false, calls.now()));
  return {
    items,
    unreadable: rows.flatMap((row, at) => {
      const item = items[at];
      return item !== undefined && isUnreadable(item) ? [itemIdIn(row)] : [];
    }),
    pages: pages ?? 0,
    total:
      figure(textAt(list, 'PaginationResult', 'TotalNumberOfEntries')) ?? (list === undefined ? 0 : null),
  };
}

function figure(text: string): number | null {
  return /^\d{1,9}$/.test(text) ? Number(text) : null;
}
