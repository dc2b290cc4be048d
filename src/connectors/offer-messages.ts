import type { ReadCoverage } from '#domain/competition/competition.ts';
import type { Instant } from '#domain/units.ts';
import type { Account, MarketOffer } from './connector.ts';

/** The offers for an item have changed; the new ones apply to all its listings in this condition. */
export interface OfferChange {
  readonly notificationId: string;
  /** ASIN. */
  readonly itemId: string;
  /** "New", "Used" and so on, as in the keys of a listing. */
  readonly condition: string;
  readonly changedAt: Instant;
  readonly offers: readonly MarketOffer[];
  readonly coverage: ReadCoverage;
  /** Another seller has the buy box, and the message does not name it. */
  readonly isWinnerOpen: boolean;
}

/** The store of the offers. */
export interface OfferSink {
  /**
   * When the stored offers were seen, by item and condition as in {@link offerKey}; without those that are not
   * stored. A change that is not newer is skipped.
   */
  latest(keys: readonly string[]): Promise<ReadonlyMap<string, Instant>>;
  /** Stores them. Messages are deleted after that; an error ends the listening, and they are delivered again. */
  commit(changes: readonly OfferChange[]): Promise<void>;
  /** Called with an error that persists while it is retried, one sentence; with null once it has passed. */
  onError?(problem: string | null): Promise<void>;
}

/** A marketplace that sends offer changes to a queue of the seller's account. */
export interface OfferNotifications {
  /** Subscribes the queue of the account to offer changes. Idempotent. */
  subscribe(account: Account, signal: AbortSignal): Promise<void>;
  /**
   * Receives changes from the queue until the signal comes. Delivered twice or out of order, only the newest is
   * stored. Continues automatically after a temporary error.
   * @throws ConnectorError for keys that are missing or refused and for a queue that does not exist; errors of the
   * sink
   */
  listen(account: Account, sink: OfferSink, signal: AbortSignal): Promise<void>;
}

export function offerKey({ itemId, condition }: Pick<OfferChange, 'itemId' | 'condition'>): string {
  return `${itemId} ${condition}`;
}
