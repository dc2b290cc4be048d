import type { z } from 'zod';
import type { Account, PriceReading, SentPrice } from '#connectors/connector.ts';
import { ConnectorError, concernsAll } from '#connectors/connector-error.ts';
import { isFiner } from '#connectors/dollars.ts';
import { parseResponse } from '#connectors/parse-response.ts';
import { readableOf } from '#connectors/passed-over.ts';
import { codeOfFeed, foundRefusal, isTooMany } from './found-refusal.ts';
import { NAME, type WalmartCalls } from './walmart-calls.ts';
import { FeedStatus, type Item, ItemsPage, OneItem } from './walmart-responses.ts';

/** Largest page of the details of a feed, and most details that a feed may have. */
const DETAILS = 50;
const MAX_DETAILS = 10_000;

/**
 * The results of the feeds behind the prices, and the current price of each item: requested one by one, since the list of
 * all items may be behind them. What cannot be read of one item or one feed stops no other.
 */
export async function readPrices(
  calls: WalmartCalls,
  account: Account,
  sent: readonly SentPrice[],
  signal: AbortSignal,
): Promise<readonly PriceReading[]> {
  const feeds = new Map<string, Fates | Unread>();
  for (const { receipt } of sent) {
    if (receipt !== null && !feeds.has(receipt)) {
      feeds.set(receipt, await orUnread(fatesIn(calls, account, receipt, signal)));
    }
  }
  const readings: PriceReading[] = [];
  for (const { ref, receipt } of sent) {
    const found = await orUnread(itemOf(calls, account, ref.sku, signal));
    const feed = receipt === null ? null : (feeds.get(receipt) ?? null);
    readings.push(readingOf(ref.listingId, ref.sku, found, feed));
  }
  return readings;
}

/** Why something was not read, as a sentence. */
interface Unread {
  readonly because: string;
}

/** @throws errors of the whole account, or of all calls */
async function orUnread<Answer>(answer: Promise<Answer>): Promise<Answer | Unread> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof ConnectorError) || concernsAll(error)) throw error;
    return { because: error.message };
  }
}

const isUnread = (answer: object | null): answer is Unread => answer !== null && 'because' in answer;

/** Key for all SKUs of a feed that failed as a whole: no SKU is empty. */
const WHOLE_FEED = '';

/** The result of a price that a feed did not apply: refused, or failed because of an error of Walmart. */
type Fate = Pick<Extract<PriceReading, { kind: 'price' }>, 'refusal' | 'failure'>;
const NO_FATE: Fate = { refusal: null };
/** By SKU. */
type Fates = ReadonlyMap<string, Fate>;

interface Found {
  readonly item: Item;
  readonly source: 'item' | 'list';
}

function readingOf(
  listingId: number,
  sku: string,
  found: Found | Unread | null,
  feed: Fates | Unread | null,
): PriceReading {
  const unreadable = (message: string): PriceReading => ({ listingId, kind: 'unreadable', message });
  if (isUnread(found)) return unreadable(found.because);
  if (isUnread(feed)) return unreadable(feed.because);
  if (found === null) return { listingId, kind: 'missing' };
  const { item, source } = found;
  const { amount, currency } = item.price ?? {};
  if (currency && currency !== 'USD') return unreadable(`${NAME} names a price in ${currency.slice(0, 10)}.`);
  if (amount == null) return unreadable(`${NAME} names no price for this SKU.`);
  if (isFiner(amount)) {
    return unreadable(`${NAME} names a price that is not in whole cents: ${amount.finer.slice(0, 20)}.`);
  }
  const fate = feed?.get(sku) ?? feed?.get(WHOLE_FEED) ?? NO_FATE;
  return { listingId, kind: 'price', price: amount, source, ...fate };
}

async function itemOf(
  calls: WalmartCalls,
  account: Account,
  sku: string,
  signal: AbortSignal,
): Promise<Found | Unread | null> {
  const path = `/v3/items/${encodeURIComponent(sku)}?productIdType=SKU`;
  const call = { method: 'GET', path, operation: 'item', alsoAnswers: [404] } as const;
  const answer = await calls.ask(account, call, signal);
  const items = answer.status === 404 ? [] : parseResponse(NAME, OneItem, answer, 'item');
  // One that names no SKU is what was requested; one that names another SKU is not.
  const [item, ...more] = items.filter((each) => each.sku == null || each.sku.trim() === sku);
  if (more.length > 0) return { because: `${NAME} returned several items for this SKU.` };
  if (item !== undefined) return { item, source: 'item' };
  if (items.length > 0) return { because: `${NAME} returned another SKU than the requested one.` };
  // "Not found" may also be about the path: only the list makes sure.
  const listed = await listedItem(calls, account, sku, signal);
  return listed === null ? null : { item: listed, source: 'list' };
}

async function listedItem(
  calls: WalmartCalls,
  account: Account,
  sku: string,
  signal: AbortSignal,
): Promise<Item | null> {
  const path = `/v3/items?${new URLSearchParams({ sku })}`;
  const call = { method: 'GET', path, operation: 'itemsOfSku', alsoAnswers: [404] } as const;
  const answer = await calls.ask(account, call, signal);
  if (answer.status === 404) return null;
  const { ItemResponse } = parseResponse(NAME, ItemsPage, answer, 'list of items');
  return readableOf(ItemResponse).find((item) => item.sku?.trim() === sku) ?? null;
}

/**
 * The results of prices that a feed did not apply, by SKU; {@link WHOLE_FEED} when it failed as a whole. A feed
 * that Walmart no longer stores has no results.
 */
async function fatesIn(
  calls: WalmartCalls,
  account: Account,
  feedId: string,
  signal: AbortSignal,
): Promise<Fates> {
  const fates = new Map<string, Fate>();
  for (let offset = 0; offset < MAX_DETAILS; offset += DETAILS) {
    const query = new URLSearchParams({
      includeDetails: 'true',
      offset: String(offset),
      limit: String(DETAILS),
    });
    const path = `/v3/feeds/${encodeURIComponent(feedId)}?${query}`;
    const call = { method: 'GET', path, operation: 'feedStatus', alsoAnswers: [404] } as const;
    const answer = await calls.ask(account, call, signal);
    if (answer.status === 404) break;
    const feed = parseResponse(NAME, FeedStatus, answer, 'status of a feed');
    if (feed.feedStatus === 'ERROR') {
      const { code, message } = problemOf(feed.ingestionErrors);
      fates.set(WHOLE_FEED, { refusal: { kind: 'rejected', message, code: codeOfFeed(code) } });
    }
    for (const { sku, ingestionStatus, ingestionErrors } of feed.itemDetails) {
      if (!sku) continue;
      if (ingestionStatus === 'DATA_ERROR') fates.set(sku.trim(), fateOf(ingestionErrors));
      else if (ingestionStatus.endsWith('_ERROR')) fates.set(sku.trim(), failed(ingestionStatus));
    }
    const isLast = offset + DETAILS >= (feed.itemsReceived ?? MAX_DETAILS);
    if (isLast || feed.itemDetails.length === 0) break;
  }
  return fates;
}

/** SYSTEM_ERROR and TIMEOUT_ERROR: nothing about the price, which may be sent again. */
function failed(status: string): Fate {
  return {
    refusal: null,
    failure: `${NAME} had an internal error with the price (${status.slice(0, 100)}).`,
  };
}

type Errors = z.output<typeof FeedStatus>['ingestionErrors'];

function fateOf(errors: Errors): Fate {
  const { code, message } = problemOf(errors);
  return isTooMany(code) ? { refusal: null, failure: message } : { refusal: foundRefusal(message, code) };
}

function problemOf([first]: Errors): { readonly code: string | null; readonly message: string } {
  const said = first?.description || first?.code || 'no reason given.';
  return { code: first?.code ?? null, message: `${NAME} rejected the price: ${said}` };
}
