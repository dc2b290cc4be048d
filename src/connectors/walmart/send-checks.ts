import type { Account, PriceOrder, SendOutcome } from '#connectors/connector.ts';
import { ConnectorError } from '#connectors/connector-error.ts';
import { readableOf, type UnreadableRow } from '#connectors/passed-over.ts';
import { type Cents, type Instant, minutes } from '#domain/units.ts';
import { nativeRepricer, PROMOTION } from './listing-of.ts';
import { credentialsOf, type WalmartCalls } from './walmart-calls.ts';
import { insightPages, insightsOf } from './walmart-pages.ts';
import { runsPromotion } from './walmart-promotions.ts';
import type { Insight } from './walmart-responses.ts';

/** What is older says nothing about a price that is sent now. */
const FRESH_FOR = minutes(15);
/** Milliseconds that one turn of the sender may spend on a walk. */
const TURN = 5_000;
/** A walk that takes longer is used as far as it got: a large catalog must not keep all prices waiting. */
const LONGEST_WALK = minutes(10);

/** What Walmart says about one SKU. */
interface Row {
  readonly readAt: Instant;
  /** What buyers pay. */
  readonly price: Cents | null;
  /** Why its price must not be changed from here; null when it may be. */
  readonly repricer: string | null;
}

/** A walk over the pricing insights of all items, page by page over several turns. */
interface Walk {
  readonly startedAt: Instant;
  readonly pages: AsyncGenerator<readonly (Insight | UnreadableRow)[]>;
  /** Of the turn that asks for the next page. */
  signal: AbortSignal;
}

/** What was read of one account. */
interface Book {
  readonly rows: Map<string, Row>;
  /** Start of the last walk that ended. */
  walkedAt: Instant | null;
  walk: Walk | null;
}

/**
 * What Walmart says about its repricer and promotions right before prices are sent. Pricing insights are a side call:
 * where they cannot be read, prices go without them.
 */
export class SendChecks {
  readonly #calls: WalmartCalls;
  readonly #books = new Map<string, Book>();

  constructor(calls: WalmartCalls) {
    this.#calls = calls;
  }

  /** Keeps rows that were read for another purpose. */
  note(account: Account, rows: readonly (Insight | UnreadableRow)[], readAt: Instant): void {
    const book = this.#bookOf(account);
    for (const { sku, currentPrice, repricerStatus, repricerStrategyName } of readableOf(rows)) {
      const repricer = nativeRepricer(repricerStatus, repricerStrategyName);
      book.rows.set(sku.trim(), { readAt, price: currentPrice, repricer });
    }
  }

  /** Insights of all items were read for another purpose. */
  noteWalk(account: Account, startedAt: Instant): void {
    this.#bookOf(account).walkedAt = startedAt;
  }

  /**
   * Goes on with a walk for some seconds, unless the last one is fresh.
   * @returns whether prices may go
   */
  async walk(account: Account, signal: AbortSignal): Promise<boolean> {
    const book = this.#bookOf(account);
    const start = this.#calls.now();
    if (this.#isFresh(book.walkedAt)) return true;
    const walk = book.walk ?? this.#startWalk(account, signal);
    book.walk = walk;
    walk.signal = signal;
    try {
      while (this.#calls.now() < start + TURN) {
        const readAt = this.#calls.now();
        const page = await walk.pages.next();
        if (page.done === true) return endWalk(book, walk.startedAt);
        this.note(account, page.value, readAt);
      }
    } catch (error) {
      if (!(error instanceof ConnectorError)) throw error;
      return endWalk(book, walk.startedAt);
    }
    return this.#calls.now() > walk.startedAt + LONGEST_WALK && endWalk(book, walk.startedAt);
  }

  /** Reads one SKU, and its promotions if buyers pay another price than ours. @returns null when the price may go */
  async stopOne(account: Account, order: PriceOrder, signal: AbortSignal): Promise<SendOutcome | null> {
    return unlessUnavailable(async () => {
      const readAt = this.#calls.now();
      this.note(account, await insightsOf(this.#calls, account, order.ref.sku, signal), readAt);
      return this.#stopKnown(account, order, signal);
    });
  }

  /**
   * The orders of a feed that may go: by the last walk, or asked one by one where none was needed for so few.
   * @param few up to this many are asked one by one
   * @param stopped receives the outcomes of the others
   */
  async stopSome(
    account: Account,
    orders: readonly PriceOrder[],
    few: number,
    stopped: Map<number, SendOutcome>,
    signal: AbortSignal,
  ): Promise<readonly PriceOrder[]> {
    const rest: PriceOrder[] = [];
    for (const order of orders) {
      const outcome =
        orders.length <= few && this.#rowOf(account, order) === null
          ? await this.stopOne(account, order, signal)
          : await unlessUnavailable(() => this.#stopKnown(account, order, signal));
      if (outcome === null) rest.push(order);
      else stopped.set(order.ref.listingId, outcome);
    }
    return rest;
  }

  async #stopKnown(account: Account, order: PriceOrder, signal: AbortSignal): Promise<SendOutcome | null> {
    const row = this.#rowOf(account, order);
    if (row === null) return null;
    if (row.repricer !== null) return stoppedBecause(order, row.repricer);
    const isExpected = row.price === null || row.price === order.currentPrice;
    if (isExpected || this.#calls.left('promotions') < 1) return null;
    const isOn = await runsPromotion(this.#calls, account, order.ref.sku, signal);
    return isOn ? stoppedBecause(order, PROMOTION) : null;
  }

  #rowOf(account: Account, { ref: { sku } }: PriceOrder): Row | null {
    const row = this.#bookOf(account).rows.get(sku) ?? null;
    return row !== null && this.#isFresh(row.readAt) ? row : null;
  }

  /** Not after the clock was set back either. */
  #isFresh(at: Instant | null): boolean {
    const age = at === null ? Number.NaN : this.#calls.now() - at;
    return age >= 0 && age <= FRESH_FOR;
  }

  #startWalk(account: Account, signal: AbortSignal): Walk {
    const walk: Walk = {
      startedAt: this.#calls.now(),
      pages: insightPages(this.#calls, account, () => walk.signal),
      signal,
    };
    return walk;
  }

  #bookOf(account: Account): Book {
    const key = credentialsOf(account).clientId;
    const book = this.#books.get(key) ?? { rows: new Map(), walkedAt: null, walk: null };
    this.#books.set(key, book);
    return book;
  }
}

function endWalk(book: Book, startedAt: Instant): true {
  book.walkedAt = startedAt;
  book.walk = null;
  return true;
}

/** Null where the side call fails: what concerns all calls, the price's own call says. */
async function unlessUnavailable(check: () => Promise<SendOutcome | null>): Promise<SendOutcome | null> {
  try {
    return await check();
  } catch (error) {
    if (error instanceof ConnectorError) return null;
    throw error;
  }
}

function stoppedBecause({ ref: { listingId } }: PriceOrder, message: string): SendOutcome {
  return { listingId, kind: 'stopped', message, found: { kind: 'not_repriceable' } };
}
