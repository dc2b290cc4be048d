import { z } from 'zod';
import type { PriceOrder, SendOutcome } from '#connectors/connector.ts';
import { ConnectorError } from '#connectors/connector-error.ts';
import { instant } from '#domain/units.ts';
import { Id, read } from './amazon-answers.ts';
import type { AmazonCalls } from './amazon-calls.ts';
import type { AmazonShop } from './amazon-shop.ts';
import { inTurns, slices } from './in-turns.ts';
import { ITEMS_AT_ONCE, type Item, isSearchable, readItem, searchItems } from './listing-item.ts';
import { concernsAll, outcomeOf, tooLate } from './send-outcome.ts';
import { noListing, patchMembers } from './send-prices.ts';

const FEEDS = '/feeds/2021-06-30';
const CONTENT_TYPE = 'application/json; charset=UTF-8';
const AT_ONCE = 4;
const DATA = ['summaries', 'attributes'] as const;

const Upload = z.object({ feedDocumentId: Id, url: z.url().max(20_000) });
const Created = z.object({ feedId: Id });

/** Sends all prices in one document. One outcome per order, in their order; the receipt is the number of the feed. */
export async function feedPrices(
  calls: AmazonCalls,
  shop: AmazonShop,
  orders: readonly PriceOrder[],
  signal: AbortSignal,
): Promise<SendOutcome[]> {
  const outcomes = new Map<PriceOrder, SendOutcome>();
  const messages = new Map<PriceOrder, string>();
  for (const [order, found] of await readItems(calls, shop, orders, signal)) {
    // Reading takes its time: what came too late must not hold up the others.
    const made = calls.now() > order.notAfter ? tooLate(order) : messageOf(shop, order, found);
    if (typeof made === 'string') messages.set(order, made);
    else outcomes.set(order, made);
  }
  if (messages.size > 0) {
    const end = await sendFeed(calls, shop, messages, signal).catch((error: unknown) => error);
    for (const order of messages.keys()) outcomes.set(order, outcomeInFeed(order, end));
  }
  return orders.flatMap((order) => outcomes.get(order) ?? []);
}

/** @param end the number of the feed, or why there is none */
function outcomeInFeed(order: PriceOrder, end: unknown): SendOutcome {
  if (typeof end === 'string') return { listingId: order.ref.listingId, kind: 'accepted', receipt: end };
  // A refused feed says nothing about the single prices in it.
  return outcomeOf(order, end, false);
}

/** A message of the feed without its number, as JSON text; or why there is none. */
function messageOf(
  shop: AmazonShop,
  order: PriceOrder,
  found: Item | null | ConnectorError,
): string | SendOutcome {
  if (found === null) return noListing(order);
  if (found instanceof ConnectorError) return outcomeOf(order, found);
  try {
    const members = patchMembers(found, shop, order);
    return `"sku":${JSON.stringify(order.ref.sku)},"operationType":"PATCH",${members}`;
  } catch (error) {
    return outcomeOf(order, error);
  }
}

/** Every listing as it is now, twenty at a time; null where there is none. A failure belongs to those it was about. */
async function readItems(
  calls: AmazonCalls,
  shop: AmazonShop,
  orders: readonly PriceOrder[],
  signal: AbortSignal,
): Promise<(readonly [PriceOrder, Item | null | ConnectorError])[]> {
  const orFault = orFaultUntilAllFail();
  const searched = await inTurns(
    [
      ...slices(
        orders.filter(({ ref }) => isSearchable(ref.sku)),
        ITEMS_AT_ONCE,
      ),
    ],
    AT_ONCE,
    async (slice) => {
      const skus = slice.map(({ ref }) => ref.sku);
      const page = await orFault(() => searchItems(calls, shop, { skus }, DATA, signal));
      if (page instanceof ConnectorError) return slice.map((order) => [order, page] as const);
      const found = new Map(page.items.map((item) => [item.sku, item]));
      return slice.map((order) => [order, found.get(order.ref.sku) ?? null] as const);
    },
  );
  const known = searched.flat().filter(([, found]) => found !== null);
  const isKnown = new Set(known.map(([order]) => order));
  // The search may be behind: whether there is really no such listing is asked for one by one.
  const others = await inTurns(
    orders.filter((order) => !isKnown.has(order)),
    AT_ONCE,
    async (order) =>
      [order, await orFault(() => readItem(calls, shop, order.ref.sku, DATA, signal))] as const,
  );
  return [...known, ...others];
}

/** Gives a failure back instead of throwing it. After one that concerns all, nothing more is asked. */
function orFaultUntilAllFail() {
  let stop: ConnectorError | null = null;
  return async <Answer>(ask: () => Promise<Answer>): Promise<Answer | ConnectorError> => {
    if (stop !== null) return stop;
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof ConnectorError)) throw error;
      if (concernsAll(error)) stop = error;
      return error;
    }
  };
}

/** @returns the number of the feed */
async function sendFeed(
  calls: AmazonCalls,
  shop: AmazonShop,
  messages: ReadonlyMap<PriceOrder, string>,
  signal: AbortSignal,
): Promise<string> {
  const created = await calls.ask(
    shop,
    {
      ...{ method: 'POST', path: `${FEEDS}/documents`, operation: 'createFeedDocument' },
      text: JSON.stringify({ contentType: CONTENT_TYPE }),
    },
    signal,
  );
  const { feedDocumentId, url } = read(Upload, created.body, 'place for a document');
  const header = JSON.stringify({ sellerId: shop.sellerId, version: '2.0', issueLocale: 'en_US' });
  const body = [...messages.values()].map((message, at) => `{"messageId":${at + 1},${message}}`).join(',');
  await calls.documents.write(url, CONTENT_TYPE, `{"header":${header},"messages":[${body}]}`, signal);
  const notAfter = instant(Math.min(...[...messages.keys()].map((order) => order.notAfter)));
  const answer = await calls.ask(
    shop,
    {
      ...{ method: 'POST', path: `${FEEDS}/feeds`, operation: 'createFeed', changes: { notAfter } },
      text: JSON.stringify({
        ...{ feedType: 'JSON_LISTINGS_FEED', marketplaceIds: [shop.marketplaceId] },
        inputFeedDocumentId: feedDocumentId,
      }),
    },
    signal,
  );
  return read(Created, answer.body, 'feed', true).feedId;
}
