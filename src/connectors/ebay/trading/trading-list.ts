import { CompletenessCheck } from '#connectors/completeness-check.ts';
import type { Account, CatalogPage, CatalogTotal } from '#connectors/connector.ts';
import { ConnectorError } from '#connectors/connector-error.ts';
import { type EbayCalls, NAME } from '#connectors/ebay/ebay-calls.ts';
import { isUnreadable, readableOf } from '#connectors/passed-over.ts';
import { childAt, childrenOf, textAt } from '#connectors/xml.ts';
import type { ListPage } from './list-progress.ts';
import type { SellerListings } from './seller-listings.ts';
import { readTrading } from './trading-call.ts';
import { itemIdIn, tradingItem } from './trading-item.ts';
import { type TradingContext, tradingRows } from './trading-rows.ts';

const PAGE_SIZE = 200;
/** With more pages (20,000 listings) reading them every hour takes too many of the day's calls. */
const MAX_PAGES = 100;

/**
 * Active listings outside of the Inventory model, from the list of everything that the seller has active.
 * @param known item numbers of the listings in the Inventory model
 * @returns the total of that list; `too_many` where it is too long to be read each time, `not_due` where the calls do not
 * suffice for all of it yet
 */
export async function* readTradingList(
  calls: EbayCalls,
  book: SellerListings,
  known: ReadonlySet<string>,
  context: TradingContext,
  signal: AbortSignal,
): AsyncGenerator<CatalogPage, CatalogTotal | 'too_many' | 'not_due' | null> {
  const { account } = context;
  const progress = book.listProgress(account);
  if (!progress.isDue(calls.left('trading_lists'), calls.now())) return 'not_due';
  const whole = new CompletenessCheck();
  const take = ({ items, total, asOf }: ListPage): CatalogPage => {
    whole.takes(
      total,
      items.map((item) => (isUnreadable(item) ? item.what : item.itemId)),
    );
    const entries = items
      .filter((item) => isUnreadable(item) || !known.has(item.itemId))
      .flatMap((item) => (isUnreadable(item) ? [item] : tradingRows(book.completed(account, item), context)));
    return { asOf, source: 'list', entries };
  };
  // The last page is read again: where something was removed from those before it, the next one begins too late.
  let before = progress.read(calls.now());
  for (let page = Math.max(1, progress.lastPage(calls.now())); ; page++) {
    const next = await listPage(calls, account, page, signal);
    if (page === 1 && next.pages > MAX_PAGES) {
      progress.end();
      return 'too_many';
    }
    const begins = page === 1 || (before.length > 0 && !goesOn(next, before));
    if (begins) {
      progress.end();
      before = [];
      if (page > 1) {
        page = 0;
        continue;
      }
    }
    book.note(account, { items: readableOf(next.items), unreadable: next.unreadable }, next.asOf);
    progress.took(next, page);
    for (const one of [next, ...before]) {
      const taken = take(one);
      if (taken.entries.length > 0) yield taken;
    }
    before = [];
    if (page >= next.pages) {
      progress.end();
      return whole.total();
    }
    if (page >= MAX_PAGES)
      throw new ConnectorError('too_large', `${NAME} has more listings than can be synced at once.`);
  }
}

/** Whether a page that was read again has something in common with those before, so that nothing is between them. */
function goesOn({ items }: ListPage, before: readonly ListPage[]): boolean {
  const numbers = new Set(before.flatMap((page) => readableOf(page.items)).map(({ itemId }) => itemId));
  return readableOf(items).some(({ itemId }) => numbers.has(itemId));
}

async function listPage(
  calls: EbayCalls,
  account: Account,
  page: number,
  signal: AbortSignal,
): Promise<ListPage> {
  const asOf = calls.now();
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
    asOf,
    pages: pages ?? 0,
    total:
      figure(textAt(list, 'PaginationResult', 'TotalNumberOfEntries')) ?? (list === undefined ? 0 : null),
  };
}

function figure(text: string): number | null {
  return /^\d{1,9}$/.test(text) ? Number(text) : null;
}
