import type { Account, PriceReading, SentPrice } from '#connectors/connector.ts';
import { isFiner } from '#connectors/dollars.ts';
import { parseResponse } from '#connectors/parse-response.ts';
import { readableOf } from '#connectors/passed-over.ts';
import { readEach } from '#connectors/read-each.ts';
import type { FeedResults, Unread } from './feed-results.ts';
import { NAME, type WalmartCalls } from './walmart-calls.ts';
import { type Item, ItemsPage, OneItem } from './walmart-responses.ts';

/** An item takes about half a second: this many at once use up the four calls a second of the budget. */
const CONCURRENT_READS = 4;

/**
 * The current price of each item, each by a call of its own, since the list of all items may be behind them, and the results of
 * the feeds behind the prices that buyers do not see: what an item shows was not refused, whatever its feed says. What
 * cannot be read of one item or one feed stops no other.
 */
export async function readPrices(
  calls: WalmartCalls,
  results: FeedResults,
  account: Account,
  sent: readonly SentPrice[],
  signal: AbortSignal,
): Promise<readonly PriceReading[]> {
  const readings = await readEach(sent, CONCURRENT_READS, async ({ ref }) =>
    readingOf(ref.listingId, await itemOf(calls, account, ref.sku, signal)),
  );
  const isOpen = sent.map((one, index) => needsResult(one, readings[index]));
  const needed = new Map<string, string[]>();
  for (const { ref, receipt } of sent.filter((_, index) => isOpen[index])) {
    if (receipt !== null) needed.set(receipt, [...(needed.get(receipt) ?? []), ref.sku]);
  }
  const feeds = await results.of(account, needed, signal);
  return readings.map((reading, index) => {
    const { ref, receipt } = sent[index] as SentPrice;
    const fatesOf = receipt === null ? undefined : feeds.get(receipt);
    if (fatesOf === undefined || !isOpen[index]) return reading;
    const fate = fatesOf(ref.sku);
    return isUnread(fate) ? unreadable(ref.listingId, fate.because) : { ...reading, ...fate };
  });
}

/** A list may be behind: the price that it shows may be from before, and the new one refused. */
function needsResult(sent: SentPrice, reading: PriceReading | undefined): boolean {
  return reading?.kind === 'price' && !(reading.source === 'item' && reading.price === sent.price);
}

const isUnread = (answer: object | null): answer is Unread => answer !== null && 'because' in answer;

function unreadable(listingId: number, message: string): PriceReading {
  return { listingId, kind: 'unreadable', message };
}

interface Found {
  readonly item: Item;
  readonly source: 'item' | 'list';
}

function readingOf(listingId: number, found: Found | Unread | null): PriceReading {
  if (isUnread(found)) return unreadable(listingId, found.because);
  if (found === null) return { listingId, kind: 'missing' };
  const { item, source } = found;
  const { amount, currency } = item.price ?? {};
  if (currency && currency !== 'USD') {
    return unreadable(listingId, `${NAME} shows a price in ${currency.slice(0, 10)}.`);
  }
  if (amount == null) return unreadable(listingId, `${NAME} shows no price for this SKU.`);
  if (isFiner(amount)) {
    const finer = amount.finer.slice(0, 20);
    return unreadable(listingId, `${NAME} shows a price that is not in whole cents: ${finer}.`);
  }
  return { listingId, kind: 'price', price: amount, source, refusal: null };
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
