import type { CatalogPage, CatalogTotal } from '#connectors/connector.ts';
import type { SideCalls } from '#connectors/side-calls.ts';
import type { EbayCalls } from './ebay-calls.ts';
import { readReport } from './ebay-report.ts';
import type { SellerListings } from './trading/seller-listings.ts';
import { readDetails } from './trading/trading-changes.ts';
import { readTradingList } from './trading/trading-list.ts';
import type { TradingContext } from './trading/trading-rows.ts';

const LIST = 'the list of active listings';
const REPORT = 'the report of active listings';
const DETAILS = 'the conditions of Best Offer';

interface OutsideSource {
  readonly calls: EbayCalls;
  readonly book: SellerListings;
  /** Item numbers of the listings in the Inventory model. */
  readonly known: ReadonlySet<string>;
  readonly context: TradingContext;
  readonly side: SideCalls;
}

/**
 * Active listings outside of eBay's Inventory model: from the list of all active listings, or from a report where that
 * list is long.
 * @returns whether all of them were read, and the total of the list
 */
export async function* outsidePages(
  { calls, book, known, context, side }: OutsideSource,
  signal: AbortSignal,
): AsyncGenerator<CatalogPage, { readonly isWhole: boolean; readonly total: CatalogTotal | null }> {
  const { account } = context;
  const read = { isWhole: false, rows: 0 };
  const list = yield* side.pages(LIST, counted(readTradingList(calls, book, known, context, signal), read));
  if (list === 'too_many') {
    const report = yield* side.pages(REPORT, counted(readReport(calls, known, context, signal), read));
    read.isWhole = report === 'whole';
  }
  if (list === 'not_due') read.isWhole = false;
  if ((read.rows > 0 || list === 'not_due') && book.isDetailsDue(account)) {
    await side.answer(DETAILS, () => readDetails(calls, book, account, signal));
  }
  const total = list === 'too_many' || list === 'not_due' ? null : list;
  return { isWhole: read.isWhole, total };
}

/** Counts the entries of a reading; one that ends was read whole. */
async function* counted<End>(
  pages: AsyncGenerator<CatalogPage, End>,
  read: { isWhole: boolean; rows: number },
): AsyncGenerator<CatalogPage, End> {
  let step = await pages.next();
  for (; step.done !== true; step = await pages.next()) {
    read.rows += step.value.entries.length;
    yield step.value;
  }
  read.isWhole = true;
  return step.value;
}
