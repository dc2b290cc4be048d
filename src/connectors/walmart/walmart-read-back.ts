import type { Account, PriceReading, SentPrice } from '#connectors/connector.ts';
import { ConnectorError, concernsAll } from '#connectors/connector-error.ts';
import { isFiner } from '#connectors/dollars.ts';
import { parseResponse } from '#connectors/parse-response.ts';
import { readableOf } from '#connectors/passed-over.ts';
import type { FeedFates, FeedResults } from './feed-results.ts';
import { NAME, type WalmartCalls } from './walmart-calls.ts';
import { type Item, ItemsPage, OneItem } from './walmart-responses.ts';

/**
 * The results of the feeds behind the prices, and the current price of each item: requested one by one, since the list of
 * all items may be behind them. What cannot be read of one item or one feed stops no other.
 */
export async function readPrices(
  calls: WalmartCalls,
  results: FeedResults,
  account: Account,
  sent: readonly SentPrice[],
  signal: AbortSignal,
): Promise<readonly PriceReading[]> {
  const feeds = new Map<string, FeedFates | Unread>();
  for (const { receipt } of sent) {
    if (receipt !== null && !feeds.has(receipt)) {
      feeds.set(receipt, await orUnread(results.of(account, receipt, signal)));
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

interface Found {
  readonly item: Item;
  readonly source: 'item' | 'list';
}

function readingOf(
  listingId: number,
  sku: string,
  found: Found | Unread | null,
  feed: FeedFates | Unread | null,
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
  const fate = feed === null ? { refusal: null } : feed(sku);
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
