import type { Account } from '#connectors/connector.ts';
import { ConnectorError } from '#connectors/connector-error.ts';
import { type EbayCalls, NAME } from '#connectors/ebay/ebay-calls.ts';
import { readRunningSales } from '#connectors/ebay/markdown-sales.ts';
import { isUnreadable, unreadableText } from '#connectors/passed-over.ts';
import { childAt, childrenOf, textAt, type XmlElement } from '#connectors/xml.ts';
import { hours, type Instant, instant } from '#domain/units.ts';
import type { SellerListings } from './seller-listings.ts';
import { readTrading } from './trading-call.ts';
import { type TradingItem, type TradingItems, tradingItem, tradingItems } from './trading-item.ts';

interface Window {
  readonly from: Instant;
  readonly to: Instant;
}

/** eBay reports at most so many changed items at once; then the window is halved. */
const MOST_CHANGES = 3_000;
/** A window this short, in milliseconds, is not halved again. */
const SHORTEST_WINDOW = 1_000;
/** Listings per page of details: their descriptions would make larger ones too large. */
const DETAILS_PAGE = 100;
const MAX_PAGES = 500;
/** Active listings end within 30 days, and are then renewed; eBay takes windows of 120 days at most. */
const DETAILS_WINDOW = hours(119 * 24);
/** Only these members are wanted of each listing. */
const DETAILS = [
  ...['PaginationResult', 'HasMoreItems'],
  ...[
    'ItemID',
    'ListingType',
    'SKU',
    'Title',
    'Quantity',
    'StartPrice',
    'SellingStatus',
    'ListingDetails.BestOfferAutoAcceptPrice',
    'ListingDetails.MinimumBestOfferPrice',
    'BestOfferDetails',
    'DiscountPriceInfo',
    'InventoryTrackingMethod',
    'PictureDetails.GalleryURL',
    'PrimaryCategory.CategoryID',
    'ProductListingDetails',
    'Variations.Variation',
  ].map((member) => `ItemArray.Item.${member}`),
]
  .map((selector) => `<OutputSelector>${selector}</OutputSelector>`)
  .join('');

/**
 * Reads, where it is due, what changed and which sales run. These are side calls: without them prices are checked by the
 * lists of the last hour, else by a call for each listing.
 */
export async function refreshListings(
  calls: EbayCalls,
  book: SellerListings,
  account: Account,
  signal: AbortSignal,
): Promise<void> {
  const window = book.eventsDue(account);
  if (window !== null) {
    await unlessRefused(async () => {
      const changes = await changesIn(calls, account, window, signal);
      book.note(account, changes, window.to);
      // A change of a listing that is not named may be of any: the time has to be requested again.
      if (!changes.unreadable.includes(null)) book.noteEvents(account, window);
    });
  }
  if (book.isSalesDue(account)) {
    await unlessRefused(async () => book.noteSales(account, await readRunningSales(calls, account, signal)));
  }
}

async function unlessRefused(read: () => Promise<void>): Promise<void> {
  try {
    await read();
  } catch (error) {
    if (!(error instanceof ConnectorError)) throw error;
  }
}

/** The items that changed within a time, as they are now. */
async function changesIn(
  calls: EbayCalls,
  account: Account,
  { from, to }: Window,
  signal: AbortSignal,
): Promise<TradingItems> {
  const moments = `<ModTimeFrom>${timeText(from)}</ModTimeFrom><ModTimeTo>${timeText(to)}</ModTimeTo>`;
  const call = {
    name: 'GetSellerEvents',
    operation: 'trading_events',
    content: `<DetailLevel>ReturnAll</DetailLevel>${moments}`,
  } as const;
  const root = await readTrading(calls, account, call, signal);
  const reported = itemsOf(root, calls.now());
  const count = reported.items.length + reported.unreadable.length;
  if (count < MOST_CHANGES || to - from <= SHORTEST_WINDOW) return reported;
  const middle = instant(Math.floor((from + to) / 2));
  const first = await changesIn(calls, account, { from, to: middle }, signal);
  const second = await changesIn(calls, account, { from: middle, to }, signal);
  return {
    items: [...first.items, ...second.items],
    unreadable: [...first.unreadable, ...second.unreadable],
  };
}

/**
 * Reads what the list of active listings does not report: the conditions of Best Offer, GTINs, how they are tracked. Where
 * the calls of a large store do not suffice at once the next sync goes on.
 */
export async function readDetails(
  calls: EbayCalls,
  book: SellerListings,
  account: Account,
  signal: AbortSignal,
): Promise<void> {
  const { since, page: read } = book.detailsRead(account) ?? { since: calls.now(), page: 0 };
  const window = `<EndTimeFrom>${timeText(since)}</EndTimeFrom><EndTimeTo>${timeText(instant(since + DETAILS_WINDOW))}</EndTimeTo>`;
  for (let page = read + 1; page <= MAX_PAGES; page++) {
    // Not before its first page: that no calls are left at all is said.
    if (page > 1 && calls.left('trading_details') === 0) return;
    const pagination = `<Pagination><EntriesPerPage>${DETAILS_PAGE}</EntriesPerPage><PageNumber>${page}</PageNumber></Pagination>`;
    const content = `<DetailLevel>ReturnAll</DetailLevel>${DETAILS}${window}${pagination}<IncludeVariations>true</IncludeVariations>`;
    const at = calls.now();
    const call = { name: 'GetSellerList', operation: 'trading_details', content } as const;
    const root = await readTrading(calls, account, call, signal);
    book.note(account, itemsOf(root, at), at);
    const isLast = textAt(root, 'HasMoreItems') !== 'true';
    book.noteDetails(account, since, isLast ? null : { since, page });
    if (isLast) return;
  }
}

/** One listing; null where eBay does not know it, or it is another seller's. */
export async function readItem(
  calls: EbayCalls,
  book: SellerListings,
  account: Account,
  itemId: string,
  signal: AbortSignal,
): Promise<TradingItem | null> {
  const readAt = calls.now();
  const content = `<ItemID>${itemId}</ItemID>`;
  const call = { name: 'GetItem', operation: 'trading_items', content } as const;
  try {
    const root = await readTrading(calls, account, call, signal);
    const element = childAt(root, 'Item');
    const item = element === undefined ? null : tradingItem(element, true, readAt);
    if (item !== null && isUnreadable(item)) {
      book.note(account, { items: [], unreadable: [itemId] }, readAt);
      throw new ConnectorError('unreadable', unreadableText(NAME, 'listing', item));
    }
    if (item?.itemId !== itemId) {
      throw new ConnectorError('unreadable', `${NAME} answered with another listing.`);
    }
    book.note(account, { items: [item], unreadable: [] }, readAt);
    return item;
  } catch (error) {
    if (error instanceof ConnectorError && NO_SUCH_ITEM.has(error.code ?? '')) return null;
    throw error;
  }
}

/** "This item cannot be accessed because the listing has been deleted, ... or you are not the seller." */
const NO_SUCH_ITEM = new Set(['17']);

function itemsOf(root: XmlElement, now: Instant): TradingItems {
  return tradingItems(childrenOf(childAt(root, 'ItemArray'), 'Item'), true, now);
}

function timeText(at: Instant): string {
  return new Date(at).toISOString();
}
