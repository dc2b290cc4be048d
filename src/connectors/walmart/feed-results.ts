import type { z } from 'zod';
import type { Account, PriceReading } from '#connectors/connector.ts';
import { parseResponse } from '#connectors/parse-response.ts';
import { codeOfFeed, foundRefusal, isTooMany } from './found-refusal.ts';
import { NAME, type WalmartCalls } from './walmart-calls.ts';
import { FeedStatus } from './walmart-responses.ts';

/** Largest page of the details of a feed, and most details that a feed may have. */
const DETAILS = 50;
const MAX_DETAILS = 10_000;
/** Results that are kept: more than the feeds whose prices are looked for at the same time. */
const MAX_KEPT = 20;

/** The result of a price that a feed did not apply: refused, or failed because of an error of Walmart. */
type Fate = Pick<Extract<PriceReading, { kind: 'price' }>, 'refusal' | 'failure'>;
const NO_FATE: Fate = { refusal: null };
/** What a feed says of the price of a SKU. */
export type FeedFates = (sku: string) => Fate;

type Status = z.output<typeof FeedStatus>;

/**
 * Statuses before the end of a feed: until then Walmart reports no results of single prices. See
 * https://developer.walmart.com/api/us/mp/price#operation/priceBulkUploads
 */
const UNDER_WAY: ReadonlySet<string> = new Set(['RECEIVED', 'INPROGRESS']);

/**
 * The results of feeds. Those of a feed that is done do not change, and have up to 200 pages, while its prices are read back
 * fifty at a time: they are kept.
 */
export class FeedResults {
  readonly #calls: WalmartCalls;
  readonly #kept = new Map<string, FeedFates>();

  constructor(calls: WalmartCalls) {
    this.#calls = calls;
  }

  /** The results of a feed; none while it is under way, nor of one that Walmart no longer stores. */
  async of(account: Account, feedId: string, signal: AbortSignal): Promise<FeedFates> {
    const known = this.#kept.get(feedId);
    if (known !== undefined) return known;
    const { fateOf, isWhole } = await this.#read(account, feedId, signal);
    if (!isWhole) return fateOf;
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size < MAX_KEPT) break;
      this.#kept.delete(oldest);
    }
    this.#kept.set(feedId, fateOf);
    return fateOf;
  }

  /** @returns with whether each of its prices has a result */
  async #read(
    account: Account,
    feedId: string,
    signal: AbortSignal,
  ): Promise<{ readonly fateOf: FeedFates; readonly isWhole: boolean }> {
    const fates = new Map<string, Fate>();
    let others = NO_FATE;
    let results = 0;
    let received = MAX_DETAILS;
    for (let offset = 0; offset < Math.min(received, MAX_DETAILS); offset += DETAILS) {
      const feed = await this.#page(account, feedId, offset, signal);
      if (feed === null || UNDER_WAY.has(feed.feedStatus)) return { fateOf: () => NO_FATE, isWhole: false };
      if (feed.feedStatus === 'ERROR') others = fateOfAll(feed.ingestionErrors);
      received = feed.itemsReceived ?? MAX_DETAILS;
      for (const { sku, ingestionStatus, ingestionErrors } of feed.itemDetails) {
        const fate = fateOfItem(ingestionStatus, ingestionErrors);
        if (fate === null) continue;
        results += 1;
        if (sku && fate !== others) fates.set(sku.trim(), fate);
      }
      if (feed.itemDetails.length === 0) break;
    }
    return { fateOf: (sku) => fates.get(sku) ?? others, isWhole: results >= received };
  }

  async #page(account: Account, feedId: string, offset: number, signal: AbortSignal): Promise<Status | null> {
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

type Errors = Status['ingestionErrors'];

/** @returns null for one that says nothing of itself, such as INPROGRESS */
function fateOfItem(status: string, errors: Errors): Fate | null {
  if (status === 'SUCCESS') return NO_FATE;
  if (status === 'DATA_ERROR') {
    const message = rejected(errors);
    const code = errors[0]?.code ?? null;
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
  return first?.description || first?.code || 'no reason given.';
}
