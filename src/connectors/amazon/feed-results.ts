import { z } from 'zod';
import { ConnectorError } from '#connectors/connector-error.ts';
import { groupBy } from '#domain/group-by.ts';
import type { AmazonCalls } from './amazon-calls.ts';
import { DocumentAnswer, readDocument, textOf } from './amazon-documents.ts';
import { Id, issueMessages, jsonOf, read, Text } from './amazon-responses.ts';
import type { AmazonShop } from './amazon-shop.ts';

const FEEDS = '/feeds/2021-06-30';
const LARGEST_RESULT = 64 * 1_024 * 1_024;

const Feed = z.object({ processingStatus: z.string(), resultFeedDocumentId: Id.nullish() });
const Result = z.object({
  issues: z.array(z.object({ sku: Text.nullish(), severity: z.string(), message: Text })),
});

/** Why a feed failed for a SKU; null when it did not, or is not done yet. */
export type FeedRefusal = (sku: string) => string | null;

/**
 * The results of the prices in a feed.
 * @throws ConnectorError only of fault "time": an unreadable result says nothing, and the price itself is read
 * anyway
 */
export async function readFeedRefusals(
  calls: AmazonCalls,
  shop: AmazonShop,
  feedId: string,
  signal: AbortSignal,
): Promise<FeedRefusal> {
  try {
    return await refusalsOf(calls, shop, feedId, signal);
  } catch (error) {
    if (!(error instanceof ConnectorError) || error.fault === 'time') throw error;
    return () => null;
  }
}

async function refusalsOf(
  calls: AmazonCalls,
  shop: AmazonShop,
  feedId: string,
  signal: AbortSignal,
): Promise<FeedRefusal> {
  const path = `${FEEDS}/feeds/${encodeURIComponent(feedId)}`;
  const answer = await calls.ask(shop, { method: 'GET', path, operation: 'feed' }, signal);
  const { processingStatus: status, resultFeedDocumentId: documentId } = read(Feed, answer.body, 'feed');
  if (status === 'FATAL' || status === 'CANCELLED') {
    return () => `Amazon did not work on the feed with this price (${status}).`;
  }
  if (status !== 'DONE' || documentId == null) return () => null;
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
  // Without a SKU it is about the document, and so about all prices in it.
  const ofAll = errors.filter(({ sku }) => sku == null);
  const bySku = groupBy(errors, ({ sku }) => sku);
  return (sku) => issueMessages([...(bySku.get(sku) ?? []), ...ofAll]) || null;
}
