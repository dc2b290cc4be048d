import type { Account } from '#connectors/connector.ts';
import type { RunningSales } from '#connectors/ebay/markdown-sales.ts';
import { KeptReasons } from '#connectors/kept-reasons.ts';
import { hours, type Instant, instant, minutes } from '#domain/units.ts';
import { ListProgress } from './list-progress.ts';
import type { TradingItem, TradingItems } from './trading-item.ts';

/** What is older says nothing about a price that is sent now. */
const FRESH_FOR = minutes(60);
/** How often changes, and the seller's sales, are requested. */
const EVENTS_EVERY = minutes(10);
const SALES_EVERY = minutes(15);
/** Sales that were read count so long: one failed reading is passed over. */
const SALES_COUNT_FOR = minutes(35);
/** For so long a price waits where eBay does not say whether its listing is in a sale, and it was in none before. */
const WAITS_FOR = minutes(15);
/** A wait begins anew where no price of the listing was tried for longer. */
const WAIT_ENDS = minutes(60);
/** How often the conditions of Best Offer of all listings are read. */
const DETAILS_EVERY = hours(24);
/** The calls of a day reach 20,000 listings. */
const DETAILS_GO_ON_FOR = hours(72);
/** Changes are reported up to two minutes before now, and windows overlap by two minutes. */
const EVENTS_LAG = minutes(2);
/** eBay reports the changes of 48 hours. */
const LONGEST_GAP = hours(47);

interface Row {
  readonly item: TradingItem;
  readonly readAt: Instant;
  /** When the conditions of Best Offer were read; null: never. */
  readonly termsReadAt: Instant | null;
  /** eBay reported it again since, and that could not be read. */
  readonly isOutdated: boolean;
}

/** A reading of the details: when it was started, and the last page that was read. */
export interface DetailsProgress {
  readonly since: Instant;
  readonly page: number;
}

/** What was read of one account. */
interface Book {
  readonly rows: Map<string, Row>;
  /** Within this time no change was missed; null before the first one was requested. */
  covered: { readonly from: Instant; readonly to: Instant } | null;
  detailsReadAt: Instant | null;
  /** How far the details were read that are being read; null: none are. */
  detailsRead: DetailsProgress | null;
  readonly list: ListProgress;
  sales: RunningSales | null;
  /** When changes, and sales, were last requested, answered or not. */
  eventsTriedAt: Instant | null;
  salesTriedAt: Instant | null;
  /** By item number: since when a price waits to know whether it is in a sale, the oldest first. */
  readonly waiting: Map<string, Instant>;
  readonly keptSales: KeptReasons;
  /** What is in a sale may have changed since that was kept. */
  isUnkept: boolean;
}

/**
 * What eBay said lately about a seller's listings, so that a price can be checked against it without a call of its own.
 * In memory: a new process reads it again. Only which listings were in a sale is kept.
 */
export class SellerListings {
  readonly #now: () => Instant;
  readonly #books = new Map<string, Book>();

  constructor(now: () => Instant) {
    this.#now = now;
  }

  /**
   * Keeps items that a list, an event or a single read reported. Of one that could not be read, what was known before says
   * nothing about a price that is sent now.
   * @param readAt before they were requested
   */
  note(account: Account, { items, unreadable }: TradingItems, readAt: Instant): void {
    const book = this.#bookOf(account);
    const { rows } = book;
    for (const item of items) {
      const known = rows.get(item.itemId);
      const isReported = item.bestOffer !== undefined;
      rows.set(item.itemId, {
        item: {
          ...item,
          bestOffer: item.bestOffer ?? known?.item.bestOffer,
          isTrackedBySku: item.isTrackedBySku || known?.item.isTrackedBySku === true,
          gtin: item.gtin ?? known?.item.gtin ?? null,
          epid: item.epid ?? known?.item.epid ?? null,
          categoryId: item.categoryId ?? known?.item.categoryId ?? null,
        },
        readAt,
        termsReadAt: isReported ? readAt : (known?.termsReadAt ?? null),
        isOutdated: false,
      });
      book.isUnkept ||= known === undefined || saleEnd(known.item) !== saleEnd(item);
    }
    for (const itemId of unreadable) {
      const row = rows.get(itemId ?? '');
      if (row !== undefined) rows.set(row.item.itemId, { ...row, isOutdated: true });
    }
  }

  /** An item with what other responses reported of it. */
  completed(account: Account, item: TradingItem): TradingItem {
    return this.#bookOf(account).rows.get(item.itemId)?.item ?? item;
  }

  /** What is known of an item, conditions of Best Offer included; null where any of it is too old, or it changed since. */
  fresh(account: Account, itemId: string): TradingItem | null {
    const book = this.#bookOf(account);
    const row = book.rows.get(itemId);
    if (row === undefined || row.isOutdated || row.termsReadAt === null) return null;
    const isFresh = this.#isFresh(book, row.readAt) && this.#isFresh(book, row.termsReadAt);
    return isFresh ? row.item : null;
  }

  /** The window of changes to request now, counted as requested; null while the last one is recent enough, and where nothing is known. */
  eventsDue(account: Account): { readonly from: Instant; readonly to: Instant } | null {
    const book = this.#bookOf(account);
    if (book.rows.size === 0) return null;
    const now = this.#now();
    const to = instant(now - EVENTS_LAG);
    const covered = book.covered?.to ?? null;
    if (isWithin(book.eventsTriedAt, EVENTS_EVERY, now)) return null;
    book.eventsTriedAt = now;
    const isGap = covered === null || covered > now || now - covered > LONGEST_GAP;
    return { from: instant((isGap ? now - FRESH_FOR : covered) - EVENTS_LAG), to };
  }

  /** Changes of that time are noted. */
  noteEvents(account: Account, { from, to }: { readonly from: Instant; readonly to: Instant }): void {
    const book = this.#bookOf(account);
    const before = book.covered;
    const isJoined = before !== null && from <= before.to && before.to <= to;
    book.covered = { from: isJoined ? before.from : from, to };
  }

  isDetailsDue(account: Account): boolean {
    const book = this.#bookOf(account);
    return !isWithin(book.detailsReadAt, DETAILS_EVERY, this.#now());
  }

  /** @param read how far; null: all of them, since that time */
  noteDetails(account: Account, since: Instant, read: DetailsProgress | null): void {
    const book = this.#bookOf(account);
    book.detailsRead = read;
    if (read === null) book.detailsReadAt = since;
  }

  /** How far the details were read by a sync that was broken off; null where they start again. */
  detailsRead(account: Account): DetailsProgress | null {
    const read = this.#bookOf(account).detailsRead;
    return read !== null && isWithin(read.since, DETAILS_GO_ON_FOR, this.#now()) ? read : null;
  }

  listProgress(account: Account): ListProgress {
    return this.#bookOf(account).list;
  }

  /** Whether to request running sales now, counted as requested. Where that fails, those of before count for a while. */
  isSalesDue(account: Account): boolean {
    const book = this.#bookOf(account);
    const now = this.#now();
    if (isWithin(book.salesTriedAt, SALES_EVERY, now)) return false;
    book.salesTriedAt = now;
    return true;
  }

  noteSales(account: Account, sales: RunningSales): void {
    const book = this.#bookOf(account);
    book.sales = sales;
    book.isUnkept = true;
  }

  /**
   * Whether a listing is in a running sale: by the sales that were read lately, else by the listing itself, read within an
   * hour. "unknown" where neither says so.
   */
  isInSale(account: Account, itemId: string): boolean | 'unknown' {
    const book = this.#bookOf(account);
    const now = this.#now();
    const sales = isWithin(book.sales?.readAt ?? null, SALES_COUNT_FOR, now) ? book.sales : null;
    if (sales?.listings.has(itemId) === true) return true;
    if (sales?.isPart === false) return false;
    const row = book.rows.get(itemId);
    // That events do not name it says little: only a reading of the listing names its sale.
    if (row === undefined || row.isOutdated || !isWithin(row.readAt, FRESH_FOR, now)) return 'unknown';
    return row.item.offers.some(({ saleEnds }) => saleEnds === 'unknown' || (saleEnds ?? 0) > now);
  }

  /**
   * The same when eBay last said so, however long ago, for when it does not say so now. A sale whose end it reported and that is
   * over is none. Once the item changed in a form that could not be read, that it was in no sale before says nothing.
   */
  async lastKnownSale(account: Account, itemId: string): Promise<'running' | 'none' | 'never'> {
    const book = this.#bookOf(account);
    const isRunning = this.#isRunning(book, itemId);
    const isOutdated = book.rows.get(itemId)?.isOutdated === true;
    if (isRunning === undefined || (isOutdated && !isRunning)) {
      return (await book.keptSales.has(account, itemId, this.#now())) ? 'running' : 'never';
    }
    return isRunning ? 'running' : 'none';
  }

  /** Keeps which listings are in a sale for the next process, where that changed. */
  async keepSales(account: Account): Promise<void> {
    const book = this.#bookOf(account);
    if (!book.isUnkept) return;
    const now = this.#now();
    const ids = new Set([...book.rows.keys(), ...(book.sales?.listings ?? [])]);
    const running = [...ids].flatMap((itemId) => {
      if (this.#isRunning(book, itemId) !== true) return [];
      const item = book.rows.get(itemId)?.item;
      const until = item === undefined ? null : saleEnd(item);
      return [[itemId, until === 'unknown' ? null : until] as const];
    });
    const isReported = (itemId: string): boolean => this.#isRunning(book, itemId) !== undefined;
    await book.keptSales.keep(account, isReported, running, now);
    book.isUnkept = false;
  }

  /** By what was reported to this process; undefined where that says nothing. */
  #isRunning({ sales, rows }: Book, itemId: string): boolean | undefined {
    const now = this.#now();
    const row = rows.get(itemId);
    const byRow = row?.item.offers.some(({ saleEnds }) => saleEnds === 'unknown' || (saleEnds ?? 0) > now);
    const bySales = sales?.listings.has(itemId) === true || (sales?.isPart === false ? false : undefined);
    const isRowNewer = row !== undefined && sales !== null && row.readAt > sales.readAt;
    return isRowNewer ? (byRow ?? bySales) : (bySales ?? byRow);
  }

  /** Whether a price goes on waiting for what eBay does not say. Once it may go, the next one waits anew. */
  waitsForSale(account: Account, itemId: string): boolean {
    const { waiting } = this.#bookOf(account);
    const now = this.#now();
    for (const [id, since] of waiting) {
      if (isWithin(since, WAIT_ENDS, now)) break;
      waiting.delete(id);
    }
    const since = waiting.get(itemId);
    if (since === undefined) waiting.set(itemId, now);
    if (isWithin(since ?? now, WAITS_FOR, now)) return true;
    waiting.delete(itemId);
    return false;
  }

  /** It is known by now whether the listing is in a sale. */
  endWait(account: Account, itemId: string): void {
    this.#bookOf(account).waiting.delete(itemId);
  }

  /** What was read then, or has not changed since. */
  #isFresh({ covered }: Book, readAt: Instant): boolean {
    const isCovered = covered !== null && covered.from <= readAt && readAt <= covered.to;
    return isWithin(isCovered ? covered.to : readAt, FRESH_FOR, this.#now());
  }

  /** By account: one connector may serve several. */
  #bookOf({ credentials }: Account): Book {
    const key = JSON.stringify([credentials.appId, credentials.marketplaceId, credentials.refreshToken]);
    const known = this.#books.get(key);
    if (known !== undefined) return known;
    const book: Book = {
      rows: new Map(),
      covered: null,
      detailsReadAt: null,
      detailsRead: null,
      list: new ListProgress(),
      sales: null,
      eventsTriedAt: null,
      salesTriedAt: null,
      waiting: new Map(),
      keptSales: new KeptReasons('ebay_sales'),
      isUnkept: false,
    };
    this.#books.set(key, book);
    return book;
  }
}

/** When the last sale ends in which one of its variations is; null where none is. */
function saleEnd({ offers }: TradingItem): Instant | 'unknown' | null {
  let last: Instant | null = null;
  for (const { saleEnds } of offers) {
    if (saleEnds === 'unknown') return 'unknown';
    if (saleEnds !== null && (last === null || saleEnds > last)) last = saleEnds;
  }
  return last;
}

/** Not after the clock was set back either. */
function isWithin(at: Instant | null, length: number, now: Instant): boolean {
  const age = at === null ? Number.NaN : now - at;
  return age >= 0 && age <= length;
}
