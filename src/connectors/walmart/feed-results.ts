import type { z } from 'zod';
import type { Account } from '#connectors/connector.ts';
import { ConnectorError, concernsAll } from '#connectors/connector-error.ts';
import { parseResponse } from '#connectors/parse-response.ts';
import { type Instant, instant } from '#domain/units.ts';
import { codeOfFeed, foundRefusal, isTooMany } from './found-refusal.ts';
import { DETAILS, type Detail, type Fate, KnownFeed, MAX_DETAILS } from './known-feed.ts';
import { NAME, type WalmartCalls } from './walmart-calls.ts';
import { FeedStatus } from './walmart-responses.ts';

/**
 * Milliseconds of one call in which pages are requested: urgent prices wait for its end. Those of a feed of 5,000 take
 * several calls.
 */
const PAGES_TAKE = 10_000;

/** What is kept: `#keep` says how much memory that is. */
const MAX_FEEDS = 250;
const MAX_RESULTS = MAX_DETAILS;
/** Characters. */
const MAX_MESSAGE = 500;
const MAX_CODE = 200;

const NO_FATE: Fate = { refusal: null };

/** Why something was not read, as a sentence. */
export interface Unread {
  readonly because: string;
}
/** What a feed says of the price of a SKU. */
export type FeedFates = (sku: string) => Fate | Unread;

/** One call, in which pages are requested until a time. */
interface Reading {
  readonly account: Account;
  readonly signal: AbortSignal;
  readonly until: Instant;
}

type Status = z.output<typeof FeedStatus>;

/**
 * Statuses before the end of a feed: until then Walmart reports no results of single prices. See
 * https://developer.walmart.com/api/us/mp/price#operation/priceBulkUploads
 */
const UNDER_WAY: ReadonlySet<string> = new Set(['RECEIVED', 'INPROGRESS']);

const PARTLY_READ: Unread = { because: `Not all results of the price feed at ${NAME} have been read yet.` };

/**
 * The results of feeds. Those of a feed that is done do not change, and have up to 200 pages, while its prices are read
 * back fifty at a time: each page is read once, over as many calls as that takes, and again only for a price without a
 * result. Nothing is kept of a feed that is under way.
 */
export class FeedResults {
  readonly #calls: WalmartCalls;
  /** By the number of the feed; the one that was not needed for the longest is first. */
  readonly #kept = new Map<string, KnownFeed>();

  constructor(calls: WalmartCalls) {
    this.#calls = calls;
  }

  /**
   * The results of some SKUs, by the number of their feed; none while a feed is under way, nor of one that Walmart no
   * longer stores. What is not read in this call stops no other SKU, and the next call goes on.
   * @param needed the SKUs by the number of their feed
   */
  async of(
    account: Account,
    needed: ReadonlyMap<string, readonly string[]>,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, FeedFates>> {
    const reading = { account, signal, until: instant(this.#calls.now() + PAGES_TAKE) };
    const fates = new Map<string, FeedFates>();
    // An error that the next feed would meet, too.
    let ended: Unread | null = null;
    for (const [feedId, skus] of needed) {
      const seen = new Set<string>();
      let left: Unread | null = ended;
      try {
        left ??= await this.#read(reading, feedId, skus, seen);
      } catch (error) {
        if (!(error instanceof ConnectorError)) throw error;
        left = { because: error.publicMessage };
        if (concernsAll(error)) ended = left;
      }
      fates.set(feedId, this.#fatesOf(feedId, seen, left));
    }
    return fates;
  }

  /**
   * @param seen SKUs on the pages that were read just now
   * @param left why there is more to read; null where all that is needed was read
   */
  #fatesOf(feedId: string, seen: ReadonlySet<string>, left: Unread | null): FeedFates {
    const feed = this.#kept.get(feedId);
    if (feed === undefined) return () => left ?? NO_FATE;
    return (sku) => {
      const isSaid = left === null || feed.isRead || seen.has(sku);
      return feed.fateOf(sku) ?? (isSaid ? feed.others : left);
    };
  }

  /**
   * @param seen receives the SKUs of the pages that are read
   * @returns why there is more to read; null where all that is needed was read
   */
  async #read(
    reading: Reading,
    feedId: string,
    skus: readonly string[],
    seen: Set<string>,
  ): Promise<Unread | null> {
    let feed = this.#kept.get(feedId);
    if (feed !== undefined) this.#keep(feedId, feed);
    const requested = new Set<number>();
    for (;;) {
      const missing = new Set(skus.filter((sku) => !seen.has(sku) && (feed?.fateOf(sku) ?? null) === null));
      if (missing.size === 0) return null;
      const offset = feed === undefined ? 0 : feed.next(missing, requested);
      if (offset === null) return null;
      if (this.#calls.now() >= reading.until || reading.signal.aborted) return PARTLY_READ;
      requested.add(offset);
      const page = await this.#page(reading, feedId, offset).catch((error: unknown) => {
        feed?.passOver(offset);
        throw error;
      });
      if (page === null) return null;
      const isOver = !UNDER_WAY.has(page.feedStatus);
      if (!isOver || feed?.fits(page) === false) {
        // Pages that do not fit together are read from the first one on by the next call.
        this.#kept.delete(feedId);
        return isOver ? PARTLY_READ : null;
      }
      feed ??= new KnownFeed(page, page.feedStatus === 'ERROR' ? fateOfAll(page.ingestionErrors) : NO_FATE);
      const details = page.itemDetails.map(detailOf);
      feed.add(offset, details);
      for (const { sku } of details) if (sku !== null) seen.add(sku);
      this.#keep(feedId, feed);
    }
  }

  /**
   * Keeps a feed as the one needed last. Kept are more feeds than the 194 that can be sent in the 24 hours in which their
   * prices are looked for: one takes 6 KB while its pages are read, and 1 KB once they are, so all of them 2 MB at most. Of
   * prices only those that were not applied, or have no result yet, are stored: 0.8 KB each with a message of 500
   * characters, 1.3 KB in other alphabets, so all of them 13 MB at most.
   */
  #keep(feedId: string, feed: KnownFeed): void {
    this.#kept.delete(feedId);
    this.#kept.set(feedId, feed);
    let results = 0;
    for (const { size } of this.#kept.values()) results += size;
    for (const [oldest, { size }] of this.#kept) {
      const isLittle = this.#kept.size <= MAX_FEEDS && results <= MAX_RESULTS;
      // One feed alone never has more.
      if (isLittle || oldest === feedId) return;
      this.#kept.delete(oldest);
      results -= size;
    }
  }

  async #page({ account, signal }: Reading, feedId: string, offset: number): Promise<Status | null> {
    const query = new URLSearchParams({
      includeDetails: 'true',
      offset: String(offset),
      limit: String(DETAILS),
    });
    const path = `/v3/feeds/${encodeURIComponent(feedId)}?${query}`;
    const call = { method: 'GET', path, operation: 'feedStatus', alsoAnswers: [404] } as const;
    const answer = await this.#calls.ask(account, call, signal);
    return answer.status === 404 ? null : parseResponse(NAME, FeedStatus, answer, 'status of a feed');
  }
}

function detailOf({ sku, ingestionStatus, ingestionErrors }: Status['itemDetails'][number]): Detail {
  return { sku: sku?.trim() || null, fate: fateOfItem(ingestionStatus, ingestionErrors) };
}

type Errors = Status['ingestionErrors'];

/** @returns null for one that says nothing of itself, such as INPROGRESS */
function fateOfItem(status: string, errors: Errors): Fate | null {
  if (status === 'SUCCESS') return NO_FATE;
  if (status === 'DATA_ERROR') {
    const message = rejected(errors);
    const said = errors[0]?.code ?? null;
    const code = said === null ? null : shortened(said, MAX_CODE);
    return isTooMany(code) ? { refusal: null, failure: message } : { refusal: foundRefusal(message, code) };
  }
  // SYSTEM_ERROR and TIMEOUT_ERROR: nothing about the price, which may be sent again.
  if (!status.endsWith('_ERROR')) return null;
  return {
    refusal: null,
    failure: `${NAME} had an internal error with the price (${status.slice(0, 100)}).`,
  };
}

/** Of a feed that failed as a whole: because of what was sent, or by an error of Walmart. */
function fateOfAll(errors: Errors): Fate {
  const isOfWalmart = errors.length > 0 && errors.every(({ type }) => type != null && type !== 'DATA_ERROR');
  if (isOfWalmart)
    return { refusal: null, failure: `${NAME} had an internal error with the feed: ${reasonOf(errors)}` };
  const code = codeOfFeed(errors[0]?.code ?? null);
  return { refusal: { kind: 'rejected', message: rejected(errors), code } };
}

function rejected(errors: Errors): string {
  return `${NAME} rejected the price: ${reasonOf(errors)}`;
}

function reasonOf([first]: Errors): string {
  return shortened(first?.description || first?.code || 'no reason given.', MAX_MESSAGE);
}

/** A copy where it is too long: part of a string would keep all of it in memory. */
function shortened(text: string, length: number): string {
  return text.length <= length ? text : Buffer.from(text.slice(0, length)).toString();
}
