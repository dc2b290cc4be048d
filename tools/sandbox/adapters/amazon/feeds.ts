import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { pathText } from '#sandbox/adapters/query.ts';
import type { Market } from '#sandbox/world/market.ts';
import { MARKETPLACE_ID, SELLER_ID } from './amazon-auth.ts';
import { amazonRefusal } from './amazon-errors.ts';
import type { Documents } from './documents.ts';
import type { Listings } from './listings.ts';
import { Patches } from './offer-attributes.ts';
import { statusOf } from './task-status.ts';

const MINUTE = 60_000;
const PROCESSING_TIME = 4 * MINUTE;
/** Milliseconds from submission until buyers see the price. */
const LIVE_AFTER = 12 * MINUTE;

const NewDocument = z.looseObject({ contentType: z.string().min(1) });
const NewFeed = z.looseObject({
  feedType: z.literal('JSON_LISTINGS_FEED'),
  marketplaceIds: z.array(z.string()).min(1),
  inputFeedDocumentId: z.string(),
});
const Message = z.looseObject({
  messageId: z.int().min(1),
  sku: z.string().min(1),
  operationType: z.literal('PATCH'),
  productType: z.string().min(1),
  patches: Patches,
});
const FeedText = z.looseObject({
  header: z.looseObject({ sellerId: z.literal(SELLER_ID), version: z.literal('2.0') }),
  messages: z
    .array(z.looseObject({ messageId: z.unknown(), sku: z.unknown() }))
    .min(1)
    .max(25_000),
});

interface Issue {
  readonly messageId: number;
  readonly sku: string;
  readonly code: string;
  readonly severity: 'ERROR';
  readonly message: string;
}

/** The Feeds API, 2021-06-30, for JSON_LISTINGS_FEED. */
export function addFeeds(
  app: FastifyInstance,
  market: Market,
  documents: Documents,
  listings: Listings,
): void {
  let made = 0;
  const base = '/feeds/2021-06-30';
  app.post(`${base}/documents`, { config: { operation: 'createFeedDocument' } }, async (request, reply) => {
    const body = NewDocument.safeParse(request.body);
    if (!body.success) throw amazonRefusal(400);
    const feedDocumentId = `amzn1.tortuga.4.na.in-${++made}`;
    documents.keep(feedDocumentId, body.data.contentType);
    return reply.code(201).send({ feedDocumentId, url: documents.address(feedDocumentId) });
  });
  app.get(`${base}/documents/:id`, { config: { operation: 'getFeedDocument' } }, async (request) => {
    const feedDocumentId = pathText(request, 'id');
    const view = documents.view(feedDocumentId);
    if (view === null) throw amazonRefusal(404);
    return { feedDocumentId, ...view };
  });
  app.post(`${base}/feeds`, { config: { operation: 'createFeed' } }, async (request, reply) => {
    const body = NewFeed.safeParse(request.body);
    if (!body.success || !body.data.marketplaceIds.includes(MARKETPLACE_ID)) throw amazonRefusal(400);
    const text = documents.text(body.data.inputFeedDocumentId);
    if (text === null) throw amazonRefusal(400, 'The inputFeedDocumentId is not valid.');
    const feedId = String(50_000_000_000 + ++made);
    const report = process(request, feedId, text, listings);
    market.tasks.start(feedId, 'feed', PROCESSING_TIME, () => {
      documents.keep(`amzn1.tortuga.4.na.out-${feedId}`, 'application/json; charset=UTF-8', report);
      return report;
    });
    return reply.code(202).send({ feedId });
  });
  app.get(`${base}/feeds/:feedId`, { config: { operation: 'getFeed' } }, async (request) => {
    const task = market.tasks.find(pathText(request, 'feedId'));
    if (task?.kind !== 'feed') throw amazonRefusal(404);
    return {
      feedId: task.id,
      feedType: 'JSON_LISTINGS_FEED',
      marketplaceIds: [MARKETPLACE_ID],
      ...statusOf(task),
      ...(task.state === 'done' ? { resultFeedDocumentId: `amzn1.tortuga.4.na.out-${task.id}` } : {}),
    };
  });
}

/** Processes every message and returns the processing report. */
function process(request: FastifyRequest, feedId: string, text: string, listings: Listings): string {
  const feed = FeedText.safeParse(jsonOf(text));
  const issues: Issue[] = [];
  const messages = feed.data?.messages ?? [];
  let accepted = 0;
  for (const raw of messages) {
    const message = Message.safeParse(raw);
    const named = { messageId: Number(raw.messageId) || 1, sku: String(raw.sku) };
    const found = !message.success
      ? [{ code: '4000001', message: 'The message does not follow the schema of the feed.' }]
      : listings.failsInFeed()
        ? [{ code: '8541', message: 'The message could not be processed. Please try again.' }]
        : listings.submit(request, message.data.sku, message.data.patches, LIVE_AFTER);
    for (const issue of found) {
      issues.push({ ...named, code: issue.code, severity: 'ERROR', message: issue.message });
    }
    if (found.length === 0) accepted++;
  }
  return JSON.stringify({
    header: { sellerId: SELLER_ID, version: '2.0', feedId },
    issues: feed.success
      ? issues
      : [{ severity: 'ERROR', code: '4000003', message: 'The feed is not JSON of version 2.0.' }],
    summary: {
      errors: feed.success ? issues.length : 1,
      warnings: 0,
      messagesProcessed: messages.length,
      messagesAccepted: accepted,
      messagesInvalid: messages.length - accepted,
    },
  });
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
