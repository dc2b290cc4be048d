import type { Account, PriceOrder, SendOutcome } from '#connectors/connector.ts';
import { ConnectorError, isOfPermission } from '#connectors/connector-error.ts';
import { KeptReasons } from '#connectors/kept-reasons.ts';
import { isUnreadable, NAMELESS, type UnreadableRow, unreadableText } from '#connectors/passed-over.ts';
import { stoppedByPrice } from '#connectors/price-before.ts';
import { notTold } from '#connectors/send-error.ts';
import { type Cents, hours, type Instant, minutes } from '#domain/units.ts';
import { nativeRepricer, PROMOTION } from './listing-of.ts';
import { runningPromotion } from './read-promotion.ts';
import { credentialsOf, NAME, type WalmartCalls } from './walmart-calls.ts';
import { insightPages, insightsOf } from './walmart-pages.ts';
import type { Insight } from './walmart-responses.ts';

/** What is older says nothing about a price that is sent now. */
const FRESH_FOR = minutes(15);
/** Milliseconds that one turn of the sender may spend on a scan. */
const TURN = 5_000;
/**
 * For so long prices wait where it cannot be read what sets them now, and nothing did when it was last read; then they go,
 * since a day without prices costs more. See ADR 013.
 */
const WAITS_FOR = minutes(15);
/** A price that waits is tried again all the time; after so long without a try, a failed read is no longer the one before. */
const FORGOTTEN_AFTER = minutes(60);
/** Milliseconds until a price that waits is tried again. */
const TRY_AGAIN = 60_000;
/** Prices do not wait for the end of a scan that takes longer: a large catalog must not keep all of them waiting. */
const MAX_SCAN_TIME = minutes(10);

const NOT_REPORTED =
  'Walmart did not say whether its repricer or a promotion sets this price now. Pricewright checks again.';

/** The name of the finding that the key has no right to pricing insights, of which an alert is made. */
const NO_RIGHT_FINDING = 'walmart_insights';
/** It counts for so long without another refusal, and is written at most so often. */
const NO_RIGHT_COUNTS_FOR = minutes(120);
const NO_RIGHT_WRITTEN_EVERY = minutes(15);
const NO_RIGHT =
  'The key has no right to the pricing insights of Walmart, which say whether its repricer or a promotion sets this price.';

/** For so long the buy box may show a price of a promotion that has ended. */
const SHOWN_AFTER_END = minutes(60);
/** For so long after the end of a promotion its SKU is looked up, whatever buyers pay: insights may be behind. */
const KNOWN_FOR = hours(48);
const JUST_ENDED =
  'The buy box may still show your price of the promotion that ended. Pricewright waits until it does not.';

/** What Walmart says about one SKU. */
interface Row {
  readonly readAt: Instant;
  /** What buyers pay. */
  readonly price: Cents | null;
  /** The price in the buy box, which may be ours. */
  readonly box: Cents | null;
  /** Why its price must not be changed from here; null when it may be. */
  readonly repricer: string | null;
}

/** What Walmart said about one SKU that cannot be read. */
interface OddRow {
  /** When the first of them was read, without one in between that could be. */
  readonly since: Instant;
  readonly readAt: Instant;
  readonly message: string;
}

/** A scan over the pricing insights of all items, page by page over several turns. */
interface Scan {
  readonly startedAt: Instant;
  readonly pages: ReturnType<typeof insightPages>;
  /** When its last turn began. */
  turnAt: Instant;
  /** Of the turn that asks for the next page. */
  signal: AbortSignal;
}

/** What was read of one account. */
interface Book {
  readonly rows: Map<string, Row>;
  /** By SKU, or {@link NAMELESS}. Each is newer than the row of its SKU. */
  readonly oddRows: Map<string, OddRow>;
  /**
   * By SKU: until when its last promotion runs, as far as Walmart reported; null where it named no end. Ended ones go two
   * days later.
   */
  readonly promotedUntil: Map<string, Instant | null>;
  /** By SKU: since when its promotions were needed and could not be read, while insights were. */
  readonly promotionUnreadSince: Map<string, Unread>;
  /** Start of the last scan that ended. */
  scannedAt: Instant | null;
  scan: Scan | null;
  /** Scans take longer than {@link MAX_SCAN_TIME}. */
  isLong: boolean;
  /** Since when every read has failed; null after one that has not. */
  unreadSince: Instant | null;
  /** By SKU: since when its row was needed and could not be read, while others were. */
  readonly missingSince: Map<string, Unread>;
  /** A scan ended with all of them. */
  isScanComplete: boolean;
  readonly repricers: KeptReasons;
  readonly promotions: KeptReasons;
  /** What sets a price may have changed since that was kept. */
  isUnkept: boolean;
  /** Walmart refused the insights to this key when they were last requested. */
  lacksRight: boolean;
  /** When that was last written for other processes; null where it was not. */
  lackKeptAt: Instant | null;
}

/**
 * What Walmart says about its repricer and promotions right before prices are sent. While it cannot be read, prices of SKUs
 * that were free when it was last read wait for a while, except urgent ones; others are not sent.
 */
export class PricesSetElsewhere {
  readonly #calls: WalmartCalls;
  readonly #books = new Map<string, Book>();

  constructor(calls: WalmartCalls) {
    this.#calls = calls;
  }

  /** Keeps rows that were read, also for another purpose. @param requested the SKU that they are about; else any */
  note(
    account: Account,
    rows: readonly (Insight | UnreadableRow)[],
    readAt: Instant,
    requested: string | null = null,
  ): void {
    const book = this.#bookOf(account);
    book.unreadSince = null;
    book.lacksRight = false;
    for (const row of rows) {
      if (isUnreadable(row)) {
        noteOdd(book, requested ?? row.what, row, readAt);
        continue;
      }
      const sku = row.sku.trim();
      book.missingSince.delete(sku);
      const known = book.rows.get(sku);
      // Two scans may be under way, for prices and for competitors.
      if (known !== undefined && known.readAt > readAt && this.#isFresh(known.readAt)) continue;
      const { currentPrice: price, buyBoxBasePrice: box } = row;
      const repricer = nativeRepricer(row.repricerStatus, row.repricerStrategyName);
      book.isUnkept ||= known?.repricer !== repricer;
      book.rows.set(sku, { readAt, price, box, repricer });
      book.oddRows.delete(sku);
    }
  }

  /** Insights of all items were read for another purpose. */
  noteScan(account: Account, startedAt: Instant): void {
    const book = this.#bookOf(account);
    const isLater = book.scannedAt !== null && book.scannedAt > startedAt && this.#isFresh(book.scannedAt);
    if (!isLater) noteScanned(book, startedAt);
  }

  /**
   * Continues a scan for some seconds, unless the last one is fresh. One that was left for too long begins anew.
   * @returns whether prices may go: all of it was read, or that takes too long, and they go as far as their SKUs were read
   */
  async scan(account: Account, signal: AbortSignal): Promise<boolean> {
    const book = this.#bookOf(account);
    const start = this.#calls.now();
    if (this.#isFresh(book.scannedAt)) return true;
    const isGoing = this.#isFresh(book.scan?.turnAt ?? null);
    const scan = (isGoing ? book.scan : null) ?? this.#startScan(account, signal);
    book.scan = scan;
    scan.turnAt = start;
    scan.signal = signal;
    try {
      while (this.#calls.now() < start + TURN) {
        const page = await scan.pages.next();
        if (page.done === true) {
          book.scan = null;
          // What a scan that broke off did not name is not known to have no insights.
          if (!page.value) return !this.#waits(book);
          noteScanned(book, scan.startedAt);
          book.isLong = this.#calls.now() > scan.startedAt + MAX_SCAN_TIME;
          return true;
        }
        this.note(account, page.value.rows, page.value.readAt);
      }
    } catch (error) {
      if (!(error instanceof ConnectorError)) throw error;
      book.lacksRight ||= isOfPermission(error);
      book.scan = null;
      return !this.#waits(book);
    }
    book.isLong ||= this.#calls.now() > scan.startedAt + MAX_SCAN_TIME;
    return book.isLong;
  }

  /** Reads one SKU, and its promotions if buyers may pay another price than ours. @returns null when the price may go */
  async stopOne(account: Account, order: PriceOrder, signal: AbortSignal): Promise<SendOutcome | null> {
    return this.#unlessUnread(account, order, async () => {
      const readAt = this.#calls.now();
      const { sku } = order.ref;
      const insights = await insightsOf(this.#calls, account, sku, signal).catch((error: unknown) => {
        this.#bookOf(account).lacksRight ||= isOfPermission(error);
        throw error;
      });
      this.note(account, insights, readAt, sku);
      return this.#stopKnown(account, order, 'alone', signal);
    });
  }

  /**
   * The orders of a feed that may go: by the last scan. Asked one by one are few orders, for which none was needed, and
   * the first ones that a scan did not reach, or did not name and may have named by a row without a SKU.
   * @param alone how many are requested one by one at most, and until when
   * @param stopped receives the outcomes of the others
   */
  async stopSome(
    account: Account,
    orders: readonly PriceOrder[],
    alone: { readonly most: number; readonly until: number },
    stopped: Map<number, SendOutcome>,
    signal: AbortSignal,
  ): Promise<readonly PriceOrder[]> {
    const rest: PriceOrder[] = [];
    const book = this.#bookOf(account);
    const requested = this.#isFresh(book.scannedAt) ? 'scan' : 'not';
    const isUnsure = requested === 'not' || book.oddRows.has(NAMELESS) || orders.length <= alone.most;
    let left = isUnsure ? alone.most : 0;
    for (const order of orders) {
      const isAlone = left > 0 && this.#rowOf(account, order) === null && this.#calls.now() <= alone.until;
      if (isAlone) left -= 1;
      const outcome = isAlone
        ? await this.stopOne(account, order, signal)
        : await this.#unlessUnread(account, order, () => this.#stopKnown(account, order, requested, signal));
      if (outcome === null) rest.push(order);
      else stopped.set(order.ref.listingId, outcome);
    }
    return rest;
  }

  /** @param requested how Walmart has just said what it knows: a SKU that it did not name has no insights */
  async #stopKnown(
    account: Account,
    order: PriceOrder,
    requested: 'alone' | 'scan' | 'not',
    signal: AbortSignal,
  ): Promise<SendOutcome | null> {
    const row = this.#rowOf(account, order);
    const book = this.#bookOf(account);
    if (row === null) {
      // A row of a scan that names no SKU may be that of any that the scan did not name.
      const nameless = requested === 'scan' ? book.oddRows.get(NAMELESS) : undefined;
      const odd = book.oddRows.get(order.ref.sku) ?? nameless ?? null;
      return requested !== 'not' && odd === null ? null : this.#withoutAnswer(account, order, odd);
    }
    if (row.repricer !== null) return stoppedBecause(order, row.repricer, null);
    const isExpected = row.price === null || row.price === order.currentPrice;
    // A lower price in the box has no seller's name: it may be our own in a promotion.
    const mayBeSold = row.box !== null && row.box < order.currentPrice;
    const { sku } = order.ref;
    const { promotedUntil, promotionUnreadSince } = book;
    const lastEnd = await lastEndOf(account, book, sku);
    if (isExpected && !mayBeSold && !isKnown(lastEnd, this.#calls.now())) {
      promotionUnreadSince.delete(sku);
      return null;
    }
    const mayAsk = this.#calls.left('promotions') >= 1;
    let promotion: Awaited<ReturnType<typeof runningPromotion>> = null;
    try {
      if (mayAsk) promotion = await runningPromotion(this.#calls, account, sku, signal);
    } catch (error) {
      if (!(error instanceof ConnectorError)) throw error;
      // Where buyers pay another price than ours, a promotion is the likeliest cause.
      return isExpected || endsLoss(order)
        ? this.#withoutPromotions(account, order)
        : notTold(order.ref.listingId, NOT_REPORTED);
    }
    const now = this.#calls.now();
    if (mayAsk) promotionUnreadSince.delete(sku);
    if (promotion !== null) {
      forgetEnded(promotedUntil, now);
      promotedUntil.set(sku, promotion.until);
      book.isUnkept = true;
      return stoppedBecause(order, PROMOTION, promotion.until);
    }
    // What was not requested, for want of calls, has not ended.
    if (!mayAsk && (await this.#lastKnown(account, book, sku)) === 'set')
      return this.#withoutAnswer(account, order);
    const ended = mayAsk ? noteEnded(book, sku, lastEnd, now) : lastEnd;
    if (mayBeSold && !order.isUrgent && ended != null && now - ended < SHOWN_AFTER_END)
      return waitsFor(order, JUST_ENDED);
    return row.price === null ? null : stoppedByPrice(NAME, order, row.price, row.readAt, 'list');
  }

  /** Where that cannot be read, what was last read decides; what concerns all calls, the price's own call says. */
  async #unlessUnread(
    account: Account,
    order: PriceOrder,
    check: () => Promise<SendOutcome | null>,
  ): Promise<SendOutcome | null> {
    try {
      return await check();
    } catch (error) {
      if (!(error instanceof ConnectorError)) throw error;
      return this.#withoutAnswer(account, order);
    }
  }

  /** Keeps which SKUs have a price that something else sets for the next process, where that changed. */
  async keep(account: Account): Promise<void> {
    const book = this.#bookOf(account);
    const now = this.#calls.now();
    await keepRight(book, account, now);
    if (!book.isUnkept) return;
    const { rows, promotedUntil } = book;
    const repriced = [...rows].flatMap(([sku, { repricer }]) =>
      repricer === null ? [] : [[sku, null] as const],
    );
    // A complete scan names each SKU: what it does not name has no insights.
    await book.repricers.keep(account, (sku) => book.isScanComplete || rows.has(sku), repriced, now);
    const promoted = [...promotedUntil].filter(([, until]) => isKnown(until, now));
    await book.promotions.keep(account, (sku) => promotedUntil.has(sku), promoted, now);
    book.isUnkept = false;
  }

  /**
   * @param odd the answer that could not be read; null where none came
   * @returns null when the price may go without an answer
   */
  async #withoutAnswer(
    account: Account,
    order: PriceOrder,
    odd: OddRow | null = null,
  ): Promise<SendOutcome | null> {
    const book = this.#bookOf(account);
    const { sku } = order.ref;
    const waits =
      odd === null
        ? this.#waits(book) && this.#waitsFor(book.missingSince, sku)
        : this.#calls.now() - odd.since < WAITS_FOR;
    const message = book.lacksRight ? NO_RIGHT : (odd?.message ?? NOT_REPORTED);
    const known = await this.#lastKnown(account, book, sku);
    // Walmart set the price when it was last read, or that was never read: decided again later.
    if (known === 'set' || (known === 'never' && !endsLoss(order)))
      return notTold(order.ref.listingId, message);
    return order.isUrgent || !waits ? null : waitsFor(order, message);
  }

  /**
   * The price of a SKU whose promotions could not be read. Insights that can be read say nothing of them.
   * @returns null when it may go without an answer
   */
  async #withoutPromotions(account: Account, order: PriceOrder): Promise<SendOutcome | null> {
    const book = this.#bookOf(account);
    const { sku, listingId } = order.ref;
    if ((await this.#lastKnown(account, book, sku)) === 'set') return notTold(listingId, NOT_REPORTED);
    const waits = this.#waitsFor(book.promotionUnreadSince, sku);
    return order.isUrgent || !waits ? null : waitsFor(order, NOT_REPORTED);
  }

  /** Whether Walmart set the price of a SKU when that was last read, however long ago. */
  async #lastKnown(account: Account, book: Book, sku: string): Promise<'set' | 'free' | 'never'> {
    const row = book.rows.get(sku);
    const now = this.#calls.now();
    const promotedUntil = await lastEndOf(account, book, sku);
    if (promotedUntil === null || (promotedUntil !== undefined && promotedUntil >= now)) return 'set';
    const mayBeOdd = book.oddRows.has(sku) || book.oddRows.has(NAMELESS);
    if (row === undefined) {
      if (await book.repricers.has(account, sku, now)) return 'set';
      return book.scannedAt === null || mayBeOdd ? 'never' : 'free';
    }
    return row.repricer === null ? 'free' : 'set';
  }

  /** Whether prices wait for a read that has just failed. */
  #waits(book: Book): boolean {
    const now = this.#calls.now();
    book.unreadSince = sinceOf(book.unreadSince, now);
    return now - book.unreadSince < WAITS_FOR;
  }

  /** Whether the price of a SKU waits for its row or promotions: others may be read all the time. */
  #waitsFor(unread: Map<string, Unread>, sku: string): boolean {
    const now = this.#calls.now();
    const before = unread.get(sku) ?? null;
    // The price went without an answer, or no other one followed: a failure much later is a new one.
    const isOver = before === null || now - before.triedAt > FORGOTTEN_AFTER;
    const since = sinceOf(isOver ? null : before.since, now);
    unread.set(sku, { since, triedAt: now });
    return now - since < WAITS_FOR;
  }

  #rowOf(account: Account, { ref: { sku } }: PriceOrder): Row | null {
    const { rows, oddRows } = this.#bookOf(account);
    const row = rows.get(sku) ?? null;
    return row !== null && !oddRows.has(sku) && this.#isFresh(row.readAt) ? row : null;
  }

  /** Not after the clock was set back either. */
  #isFresh(at: Instant | null): boolean {
    const age = at === null ? Number.NaN : this.#calls.now() - at;
    return age >= 0 && age <= FRESH_FOR;
  }

  #startScan(account: Account, signal: AbortSignal): Scan {
    const now = this.#calls.now();
    const scan: Scan = {
      startedAt: now,
      turnAt: now,
      pages: insightPages(this.#calls, account, () => scan.signal),
      signal,
    };
    return scan;
  }

  #bookOf(account: Account): Book {
    const key = credentialsOf(account).clientId;
    const nothing = {
      scannedAt: null,
      scan: null,
      isLong: false,
      unreadSince: null,
      isScanComplete: false,
      isUnkept: false,
      lacksRight: false,
      lackKeptAt: null,
    };
    const maps = {
      rows: new Map(),
      oddRows: new Map(),
      promotedUntil: new Map(),
      promotionUnreadSince: new Map(),
      missingSince: new Map(),
    };
    const kept = {
      repricers: new KeptReasons('walmart_repricers'),
      promotions: new KeptReasons('walmart_promotions', KNOWN_FOR),
    };
    const book = this.#books.get(key) ?? { ...maps, ...nothing, ...kept };
    this.#books.set(key, book);
    return book;
  }
}

/** Keeps for the alert whether the key has the right to insights, where that changed or may soon count no more. */
async function keepRight(book: Book, { findings }: Account, now: Instant): Promise<void> {
  const age = book.lackKeptAt === null ? Number.NaN : now - book.lackKeptAt;
  if (book.lacksRight) {
    if (age >= 0 && age < NO_RIGHT_WRITTEN_EVERY) return;
    book.lackKeptAt = now;
    const until = (now + NO_RIGHT_COUNTS_FOR) as Instant;
    await findings?.write(NO_RIGHT_FINDING, { is: 'lacking' }, until);
  } else if (book.lackKeptAt !== null) {
    book.lackKeptAt = null;
    await findings?.write(NO_RIGHT_FINDING, { is: 'granted' }, now);
  }
}

/** When the last promotion of a SKU ends, also as reported to another process; null: not reported, undefined: none is known. */
async function lastEndOf(
  account: Account,
  { promotedUntil, promotions }: Book,
  sku: string,
): Promise<Instant | null | undefined> {
  return promotedUntil.has(sku) ? promotedUntil.get(sku) : promotions.endOf(account, sku);
}

/** Whether a promotion runs, or ended lately. @param until as of {@link lastEndOf} */
function isKnown(until: Instant | null | undefined, now: Instant): boolean {
  return until === null || (until !== undefined && now - until < KNOWN_FOR);
}

/** Leaves out promotions that ended long ago. */
function forgetEnded(promotedUntil: Book['promotedUntil'], now: Instant): void {
  for (const [sku, until] of promotedUntil) if (!isKnown(until, now)) promotedUntil.delete(sku);
}

/**
 * Walmart shows no promotion of a SKU: one that was reported to run longer, or without an end, has ended now at the latest.
 * @param reported as of {@link lastEndOf}
 * @returns when the last one ended; undefined without any
 */
function noteEnded(
  book: Book,
  sku: string,
  reported: Instant | null | undefined,
  now: Instant,
): Instant | undefined {
  if (reported === undefined || (reported !== null && reported < now)) return reported;
  book.promotedUntil.set(sku, now);
  book.isUnkept = true;
  return now;
}

/** Not after the clock was set back either. */
/** A row or promotions of a SKU that could not be read. */
interface Unread {
  readonly since: Instant;
  /** When a price last needed it. */
  readonly triedAt: Instant;
}

function sinceOf(since: Instant | null, now: Instant): Instant {
  return since === null || since > now ? now : since;
}

/** A clock that was set back begins anew. */
function noteOdd({ oddRows }: Book, sku: string, row: UnreadableRow, readAt: Instant): void {
  const since = Math.min(oddRows.get(sku)?.since ?? readAt, readAt) as Instant;
  const message = `${unreadableText(NAME, 'SKU', row)} Pricewright checks again.`;
  oddRows.set(sku, { since, readAt, message });
}

/** What a complete scan no longer named has no insights. */
function noteScanned(book: Book, startedAt: Instant): void {
  book.scannedAt = startedAt;
  book.isUnkept ||= !book.isScanComplete;
  book.isScanComplete = true;
  for (const [sku, { readAt }] of book.oddRows) if (readAt < startedAt) book.oddRows.delete(sku);
}

/** An urgent raise: each sale at the price before loses money, and it can undercut no promotion. */
function endsLoss({ isUrgent, price, currentPrice }: PriceOrder): boolean {
  return isUrgent && price > currentPrice;
}

function waitsFor({ ref: { listingId } }: PriceOrder, message: string): SendOutcome {
  return { listingId, kind: 'not_sent', message, retryAfter: TRY_AGAIN, othersMayGo: true };
}

function stoppedBecause(
  { ref: { listingId } }: PriceOrder,
  message: string,
  until: Instant | null,
): SendOutcome {
  return { listingId, kind: 'stopped', message, found: { kind: 'not_repriceable', until } };
}
