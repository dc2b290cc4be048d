import type { Account } from '#connectors/connector.ts';
import { ConnectorError } from '#connectors/connector-error.ts';
import { groupBy } from '#domain/group-by.ts';
import type { Instant } from '#domain/units.ts';
import { type AmazonOptions, createAmazonCalls } from './amazon-calls.ts';
import { shopOf } from './amazon-shop.ts';
import { type OfferChange, offerChangeOf } from './offer-change.ts';
import { subscribeToOffers } from './offer-subscription.ts';
import { openQueue, type Queue, type QueuedMessage } from './sqs-queue.ts';

/** A message that was received so often and never understood is given up. */
const MOST_RECEIPTS = 5;
/** Ids that are remembered: as many as may come again within the minutes in which they do. */
const REMEMBERED = 20_000;
/** Milliseconds that Amazon's clock may be ahead of ours. A change from later would keep out all that follow. */
const AHEAD = 300_000;
const FIRST_PAUSE = 1_000;
const LONGEST_PAUSE = 60_000;

/** Whoever keeps the offers. */
export interface OfferSink {
  /**
   * When the offers that are kept were seen, by item and condition as in {@link offerKey}; without those that are not
   * kept. A change that is not newer is left out.
   */
  latest(keys: readonly string[]): Promise<ReadonlyMap<string, Instant>>;
  /** Keeps them. Messages are deleted once this is done; what it throws ends the listening, and they come again. */
  commit(changes: readonly OfferChange[]): Promise<void>;
}

export interface OfferNotifications {
  /** Has Amazon send changes of offers to the queue of the account. Done twice it changes nothing. */
  subscribe(account: Account, signal: AbortSignal): Promise<void>;
  /**
   * Takes changes from the queue until the signal comes. Delivered twice or out of order they are kept once, the newest.
   * Goes on by itself after trouble that passes.
   * @throws ConnectorError for keys that are missing or refused and for a queue that is not there; what the sink throws
   */
  listen(account: Account, sink: OfferSink, signal: AbortSignal): Promise<void>;
}

export function offerKey({ itemId, condition }: Pick<OfferChange, 'itemId' | 'condition'>): string {
  return `${itemId} ${condition}`;
}

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
          const began = calls.now();
          const messages = await received(queue, signal);
          if (messages === null) {
            await rest(pause);
            pause = Math.min(pause * 2, LONGEST_PAUSE);
            continue;
          }
          pause = FIRST_PAUSE;
          await take(messages, queue, sink, seen, (text) => {
            const change = offerChangeOf(text, shop);
            return change !== null && change.changedAt <= calls.now() + AHEAD ? change : null;
          });
          // A queue that says at once that it is empty must not be asked without a pause.
          if (messages.length === 0 && calls.now() - began < FIRST_PAUSE) await rest(FIRST_PAUSE);
        }
      } finally {
        queue.close();
      }
    },
  };
}

/** @returns null after trouble that passes, and at the end */
async function received(queue: Queue, signal: AbortSignal): Promise<readonly QueuedMessage[] | null> {
  try {
    return await queue.receive(signal);
  } catch (error) {
    if (!(error instanceof ConnectorError) || error.fault === 'key' || error.fault === 'refused') throw error;
    return null;
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
    // What is not understood is left there for a while: it may be a later release that can.
    if (change !== null || message.receipts >= MOST_RECEIPTS) done.push(message);
    if (change !== null && !seen.has(change.notificationId)) changes.push(change);
  }
  const fresh = await freshOf(changes, sink);
  if (fresh.length > 0) await sink.commit(fresh);
  for (const { notificationId } of changes) remember(seen, notificationId);
  await queue.remove(done).catch((error: unknown) => {
    // They come again and are known then.
    if (!(error instanceof ConnectorError)) throw error;
  });
}

/** The newest of each item, as far as it is newer than what is kept. */
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
  // A set keeps the order in which things came: the first is the oldest.
  const [oldest] = seen;
  if (seen.size > REMEMBERED && oldest !== undefined) seen.delete(oldest);
}
