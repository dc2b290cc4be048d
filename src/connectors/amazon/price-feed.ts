import { z } from 'zod';
import type { PriceOrder, SendOutcome } from '#connectors/connector.ts';
import { ConnectorError, concernsAll } from '#connectors/connector-error.ts';
import { chunks, mapLimited } from '#connectors/map-limited.ts';
import { readableOf } from '#connectors/passed-over.ts';
import { stoppedByPrice } from '#connectors/price-before.ts';
import { withTimeLimit } from '#connectors/time-limit.ts';
import { type Instant, instant } from '#domain/units.ts';
import type { AmazonCalls } from './amazon-calls.ts';
import { Id, read } from './amazon-responses.ts';
import type { AmazonShop } from './amazon-shop.ts';
import { receiptOf } from './listing-issue.ts';
import { ITEMS_AT_ONCE, type Item, isSearchable, readItem, searchItems, shownPrice } from './listing-item.ts';
import { patchMembers, stoppedBy } from './price-patch.ts';
import type { PriceForm } from './purchasable-offer.ts';
import { noListing, outcomeOf, tooLate } from './send-outcome.ts';

const FEEDS = '/feeds/2021-06-30';
const CONTENT_TYPE = 'application/json; charset=UTF-8';
const CONCURRENT_READS = 4;
const DATA = ['summaries', 'attributes', 'issues', 'offers'] as const;
/** Milliseconds kept for the document itself: its creation, its upload, its start. */
const FEEDING_TAKES = 6_000;
const LONGEST_READING = 60_000;

const Upload = z.object({ feedDocumentId: Id, url: z.url().max(20_000) });
const Created = z.object({ feedId: Id });

/**
 * Sends prices by merge in one document: those whose listings can be read in time, from the first one on. The others are
 * not sent. One outcome per order, in their order; the receipt is the ID of the feed. The listings come from the search,
 * which may lag behind: none of it is sent back, and a price that it shows stops ours only until the item is read.
 */
export async function feedPrices(
  calls: AmazonCalls,
  shop: AmazonShop,
  orders: readonly PriceOrder[],
  form: PriceForm,
  signal: AbortSignal,
): Promise<SendOutcome[]> {
  const outcomes = new Map<PriceOrder, SendOutcome>();
  const messages = new Map<PriceOrder, Message>();
  const latest = Math.max(...orders.map(({ notAfter }) => notAfter));
  const read = await readItems(calls, shop, orders, instant(latest - FEEDING_TAKES), signal);
  const now = calls.now();
  // The document is sent as a whole: a price past its deadline must not delay the others.
  const until = Math.max(now, Math.min(now + FEEDING_TAKES, latest));
  for (const [order, found] of read) {
    const made = order.notAfter < until ? tooLate(order) : messageOf(shop, order, found, form, now);
    if ('text' in made) messages.set(order, made);
    else outcomes.set(order, made);
  }
  if (messages.size > 0) {
    const end = await sendFeed(calls, shop, messages, signal).catch((error: unknown) => error);
    for (const [order, message] of messages) outcomes.set(order, outcomeInFeed(order, message, end));
  }
  return orders.flatMap((order) => outcomes.get(order) ?? []);
}

/** A message of the feed. */
interface Message {
  /** Without its ID, as JSON text. */
  readonly text: string;
  /** The listing as it was read. */
  readonly item: Item;
}

/** @param end the ID of the feed, or why there is none */
function outcomeInFeed(order: PriceOrder, { item }: Message, end: unknown): SendOutcome {
  if (typeof end === 'string') {
    return { listingId: order.ref.listingId, kind: 'accepted', receipt: receiptOf(end, item) };
  }
  // A refused feed says nothing about the single prices in it.
  const outcome = outcomeOf(order, end, false);
  // Without feed quota, single calls remain.
  const isFeedUsedUp = end instanceof ConnectorError && (end.fault === 'busy' || end.fault === 'late');
  return outcome.kind === 'not_sent' && isFeedUsedUp
    ? { ...outcome, retryAfter: null, othersMayGo: true }
    : outcome;
}

/** A message of the feed, or why there is none. */
function messageOf(
  shop: AmazonShop,
  order: PriceOrder,
  found: Found,
  { isQuoted }: PriceForm,
  now: Instant,
): Message | SendOutcome {
  if (found === 'unread') return tooLate(order);
  if (found === null) return noListing(order);
  if (found instanceof ConnectorError) return outcomeOf(order, found);
  const { item, source, readAt } = found;
  const stopped = stoppedBy(item, shop, order, now);
  if (stopped !== null) return stopped;
  const shown = shownPrice(item, shop);
  const edited = shown.kind === 'price' ? stoppedByPrice('Amazon', order, shown.price, readAt, source) : null;
  if (edited !== null) return edited;
  const members = patchMembers({ order, item }, shop, { op: 'merge', isQuoted });
  const text = `"sku":${JSON.stringify(order.ref.sku)},"operationType":"PATCH",${members}`;
  return { text, item };
}

/** A listing as it was read right before its price. */
interface FoundItem {
  readonly item: Item;
  /** The search may be behind the item. */
  readonly source: 'item' | 'list';
  /** By our clock, before it was requested. */
  readonly readAt: Instant;
}

/** Null where there is no such listing, "unread" after the deadline. A failure belongs to the listings of its call. */
type Found = FoundItem | null | 'unread' | ConnectorError;

/** The current state of every listing, twenty at a time, from the first one on until the deadline. */
async function readItems(
  calls: AmazonCalls,
  shop: AmazonShop,
  orders: readonly PriceOrder[],
  until: Instant,
  signal: AbortSignal,
): Promise<(readonly [PriceOrder, Found])[]> {
  const left = Math.min(Math.max(0, until - calls.now()), LONGEST_READING);
  return withTimeLimit(left, [signal], async (inTime) => {
    const reading = readUntil(calls, until, signal);
    const searchable = orders.filter(({ ref }) => isSearchable(ref.sku));
    const searched = await mapLimited(
      [...chunks(searchable, ITEMS_AT_ONCE)],
      CONCURRENT_READS,
      async (slice) => {
        const skus = slice.map(({ ref }) => ref.sku);
        const readAt = calls.now();
        const page = await reading(() => searchItems(calls, shop, { skus }, DATA, inTime));
        if (page === 'unread' || page instanceof ConnectorError)
          return slice.map((order) => [order, page] as const);
        const found = new Map(
          readableOf(page.items).map((item): [string, FoundItem] => [
            item.sku,
            { item, source: 'list', readAt },
          ]),
        );
        return slice.map((order) => [order, found.get(order.ref.sku) ?? null] as const);
      },
    );
    const known = searched.flat().filter(([, found]) => found !== null);
    const isKnown = new Set(known.map(([order]) => order));
    // The search index may be out of date: whether a listing exists is requested one by one.
    const others = await mapLimited(
      orders.filter((order) => !isKnown.has(order)),
      CONCURRENT_READS,
      async (order): Promise<readonly [PriceOrder, Found]> => {
        const readAt = calls.now();
        const item = await reading(() => readItem(calls, shop, order.ref.sku, DATA, inTime));
        const isItem = item !== null && item !== 'unread' && !(item instanceof ConnectorError);
        return [order, isItem ? { item, source: 'item', readAt } : item];
      },
    );
    return [...known, ...others];
  });
}

/**
 * Makes calls until the deadline, and returns a failure instead of throwing it. After a failure that concerns all
 * of them, no further call is made.
 */
function readUntil(calls: AmazonCalls, until: Instant, signal: AbortSignal) {
  let stop: ConnectorError | null = null;
  return async <Answer>(ask: () => Promise<Answer>): Promise<Answer | 'unread' | ConnectorError> => {
    if (stop !== null) return stop;
    if (calls.now() > until) return 'unread';
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof ConnectorError)) throw error;
      // One missing response must not use up the time of the others.
      if (error.fault === 'time' && !signal.aborted) return 'unread';
      if (concernsAll(error)) stop = error;
      return error;
    }
  };
}

/** @returns the ID of the feed */
async function sendFeed(
  calls: AmazonCalls,
  shop: AmazonShop,
  messages: ReadonlyMap<PriceOrder, Message>,
  signal: AbortSignal,
): Promise<string> {
  const created = await calls.ask(
    shop,
    {
      method: 'POST',
      path: `${FEEDS}/documents`,
      operation: 'createFeedDocument',
      text: JSON.stringify({ contentType: CONTENT_TYPE }),
    },
    signal,
  );
  const { feedDocumentId, url } = read(Upload, created.body, 'place for a document');
  const header = JSON.stringify({ sellerId: shop.sellerId, version: '2.0', issueLocale: 'en_US' });
  const body = [...messages.values()].map(({ text }, at) => `{"messageId":${at + 1},${text}}`).join(',');
  await calls.documents.write(url, CONTENT_TYPE, `{"header":${header},"messages":[${body}]}`, signal);
  const notAfter = instant(Math.min(...[...messages.keys()].map((order) => order.notAfter)));
  const answer = await calls.ask(
    shop,
    {
      method: 'POST',
      path: `${FEEDS}/feeds`,
      operation: 'createFeed',
      changes: { notAfter },
      text: JSON.stringify({
        feedType: 'JSON_LISTINGS_FEED',
        marketplaceIds: [shop.marketplaceId],
        inputFeedDocumentId: feedDocumentId,
      }),
    },
    signal,
  );
  return read(Created, answer.body, 'feed', true).feedId;
}
