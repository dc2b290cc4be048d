import { z } from 'zod';
import type { PriceReading } from '#connectors/connector.ts';
import { ConnectorError } from '#connectors/connector-error.ts';
import { groupBy } from '#domain/group-by.ts';
import type { AmazonCalls } from './amazon-calls.ts';
import { DocumentAnswer, readDocument, textOf } from './amazon-documents.ts';
import { Id, jsonOf, read, refusalBy, Text } from './amazon-responses.ts';
import type { AmazonShop } from './amazon-shop.ts';

const FEEDS = '/feeds/2021-06-30';
const LARGEST_RESULT = 64 * 1_024 * 1_024;

const Feed = z.object({ processingStatus: z.string(), resultFeedDocumentId: Id.nullish() });
const Result = z.object({
  issues: z.array(
    z.object({ sku: Text.nullish(), severity: z.string(), code: Text.nullish(), message: Text }),
  ),
});

/** What became of the price of a SKU that a feed did not apply: refused, or failed with the feed as a whole. */
export type FeedFate = Pick<Extract<PriceReading, { kind: 'price' }>, 'refusal' | 'failure'>;
/** Null when it was applied, or the feed is not done yet. */
export type FeedFates = (sku: string) => FeedFate | null;

/** Of a thousand prices each, with up to as many errors. */
const MAX_FEEDS = 50;

/**
 * The results of feeds. Those of a feed that is done do not change, and Amazon gives a document of one about once a minute,
 * while the prices of a feed are read back fifty at a time: they are kept.
 */
export class FeedResults {
  readonly #calls: AmazonCalls;
  /** By seller and ID; the one that was not needed for the longest is first. */
  readonly #kept = new Map<string, FeedFates>();

  constructor(calls: AmazonCalls) {
    this.#calls = calls;
  }

  /**
   * What became of the prices in a feed.
   * @throws ConnectorError only of fault "time": an unreadable result says nothing, and the price itself is read
   * anyway
   */
  async of(shop: AmazonShop, feedId: string, signal: AbortSignal): Promise<FeedFates> {
    const key = `${shop.sellerId} ${feedId}`;
    try {
      const fates = this.#kept.get(key) ?? (await fatesOf(this.#calls, shop, feedId, signal));
      if (fates !== null) this.#keep(key, fates);
      return fates ?? NO_FATES;
    } catch (error) {
      if (!(error instanceof ConnectorError) || error.fault === 'time') throw error;
      return NO_FATES;
    }
  }

  #keep(key: string, fates: FeedFates): void {
    this.#kept.delete(key);
    this.#kept.set(key, fates);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MAX_FEEDS && oldest !== undefined) this.#kept.delete(oldest);
  }
}

const NO_FATES: FeedFates = () => null;

/** @returns null for a feed that is not done yet */
async function fatesOf(
  calls: AmazonCalls,
  shop: AmazonShop,
  feedId: string,
  signal: AbortSignal,
): Promise<FeedFates | null> {
  const path = `${FEEDS}/feeds/${encodeURIComponent(feedId)}`;
  const answer = await calls.ask(shop, { method: 'GET', path, operation: 'feed' }, signal);
  const { processingStatus: status, resultFeedDocumentId: documentId } = read(Feed, answer.body, 'feed');
  if (status === 'FATAL' || status === 'CANCELLED') {
    return failed(`Amazon did not work on the feed with this price (${status}).`);
  }
  if (status !== 'DONE') return null;
  if (documentId == null) return NO_FATES;
  const place = await calls.ask(
    shop,
    {
      method: 'GET',
      path: `${FEEDS}/documents/${encodeURIComponent(documentId)}`,
      operation: 'feedDocument',
    },
    signal,
  );
  const document = readDocument(calls, read(DocumentAnswer, place.body, 'document'), signal);
  const text = await textOf(document, LARGEST_RESULT);
  const errors = read(Result, jsonOf(text), 'result of a feed').issues.filter(
    ({ severity }) => severity === 'ERROR',
  );
  // Without a SKU it is about the document, and says nothing about one of the prices in it.
  const ofAll = refusalBy(errors.filter(({ sku }) => sku == null));
  const wholeFeed = ofAll === null ? () => null : failed(ofAll.message);
  const bySku = groupBy(errors, ({ sku }) => sku);
  return (sku) => {
    const refusal = refusalBy(bySku.get(sku) ?? []);
    return refusal === null ? wholeFeed() : { refusal };
  };
}

function failed(failure: string): () => FeedFate {
  return () => ({ refusal: null, failure });
}
