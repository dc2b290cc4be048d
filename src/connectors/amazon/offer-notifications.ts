import { ConnectorError } from '#connectors/connector-error.ts';
import {
  type OfferChange,
  type OfferNotifications,
  type OfferSink,
  offerKey,
} from '#connectors/offer-messages.ts';
import { groupBy } from '#domain/group-by.ts';
import { type AmazonOptions, createAmazonCalls } from './amazon-calls.ts';
import { shopOf } from './amazon-shop.ts';
import { offerChangeOf } from './offer-change.ts';
import { subscribeToOffers } from './offer-subscription.ts';
import { openQueue, type Queue, type QueuedMessage } from './sqs-queue.ts';

/** A message that was received this often and never understood is deleted. */
const MAX_RECEIPTS = 5;
/** Number of message IDs remembered: as many as may be delivered again within minutes. */
const REMEMBERED = 20_000;
/** Milliseconds that Amazon's clock may be ahead of ours. A change with a later time would block all later ones. */
const AHEAD = 300_000;
const FIRST_PAUSE = 1_000;
const LONGEST_PAUSE = 60_000;
/** Errors that persist until the wait is this long are reported. */
const LASTING = 4_000;

/** Amazon's messages about changed offers, through the seller's own queue. */
export function createOfferNotifications(options: AmazonOptions): OfferNotifications {
  const calls = createAmazonCalls(options);
  return {
    subscribe: (account, signal) => subscribeToOffers(calls, account, signal),
    listen: async (account, sink, signal) => {
      const shop = shopOf(account);
      const queue = await openQueue(account, options.baseUrl);
      const seen = new Set<string>();
      const rest = (milliseconds: number) => calls.wait(milliseconds, signal).catch(() => undefined);
      let pause = FIRST_PAUSE;
      try {
        while (!signal.aborted) {
          const startedAt = calls.now();
          const messages = await received(queue, signal);
          if (typeof messages === 'string') {
            if (pause === LASTING && !signal.aborted) await sink.onError?.(messages);
            await rest(pause);
            pause = Math.min(pause * 2, LONGEST_PAUSE);
            continue;
          }
          if (pause > LASTING) await sink.onError?.(null);
          pause = FIRST_PAUSE;
          await take(messages, queue, sink, seen, (text) => {
            const change = offerChangeOf(text, shop);
            return change !== null && change.changedAt <= calls.now() + AHEAD ? change : null;
          });
          // A queue that responds immediately that it is empty must not be called in a tight loop.
          if (messages.length === 0 && calls.now() - startedAt < FIRST_PAUSE) await rest(FIRST_PAUSE);
        }
      } finally {
        queue.close();
      }
    },
  };
}

/** @returns one sentence after a temporary error, and at the end */
async function received(queue: Queue, signal: AbortSignal): Promise<readonly QueuedMessage[] | string> {
  try {
    return await queue.receive(signal);
  } catch (error) {
    if (!(error instanceof ConnectorError) || error.fault === 'key' || error.fault === 'refused') throw error;
    return error.message;
  }
}

async function take(
  messages: readonly QueuedMessage[],
  queue: Queue,
  sink: OfferSink,
  seen: Set<string>,
  changeOf: (text: string) => OfferChange | null,
): Promise<void> {
  const done: QueuedMessage[] = [];
  const changes: OfferChange[] = [];
  for (const message of messages) {
    const change = changeOf(message.text);
    // Unknown messages stay in the queue for now: a later release may understand them.
    if (change !== null || message.receipts >= MAX_RECEIPTS) done.push(message);
    if (change !== null && !seen.has(change.notificationId)) changes.push(change);
  }
  const fresh = await freshOf(changes, sink);
  if (fresh.length > 0) await sink.commit(fresh);
  for (const { notificationId } of changes) remember(seen, notificationId);
  await queue.remove(done).catch((error: unknown) => {
    // They are delivered again and recognized then.
    if (!(error instanceof ConnectorError)) throw error;
  });
}

/** The newest of each item, if it is newer than the stored one. */
async function freshOf(changes: readonly OfferChange[], sink: OfferSink): Promise<OfferChange[]> {
  if (changes.length === 0) return [];
  const byKey = groupBy(changes, offerKey);
  const latest = await sink.latest([...byKey.keys()]);
  return [...byKey].flatMap(([key, of]) => {
    const newest = of.reduce((a, b) => (b.changedAt > a.changedAt ? b : a));
    const kept = latest.get(key);
    return kept === undefined || newest.changedAt > kept ? [newest] : [];
  });
}

function remember(seen: Set<string>, id: string): void {
  seen.add(id);
  // A set keeps insertion order: the first is the oldest.
  const [oldest] = seen;
  if (seen.size > REMEMBERED && oldest !== undefined) seen.delete(oldest);
}
