import type { Instant } from '#domain/units.ts';
import type { Account, MarketOffer } from './connector.ts';

/** The offers for an item have changed; they are those of all its listings in this condition. */
export interface OfferChange {
  readonly notificationId: string;
  /** ASIN. */
  readonly itemId: string;
  /** "New", "Used" and so on, as in the keys of a listing. */
  readonly condition: string;
  readonly changedAt: Instant;
  readonly offers: readonly MarketOffer[];
  /** Somebody holds the buy box, and the message does not say who. */
  readonly isWinnerOpen: boolean;
}

/** Whoever keeps the offers. */
export interface OfferSink {
  /**
   * When the offers that are kept were seen, by item and condition as in {@link offerKey}; without those that are not
   * kept. A change that is not newer is left out.
   */
  latest(keys: readonly string[]): Promise<ReadonlyMap<string, Instant>>;
  /** Keeps them. Messages are deleted once this is done; what it throws ends the listening, and they come again. */
  commit(changes: readonly OfferChange[]): Promise<void>;
  /** Hears of trouble that lasts while it is tried again, one sentence; null once it has passed. */
  onTrouble?(problem: string | null): Promise<void>;
}

/** A marketplace that puts changes of offers into a queue of the seller's own. */
export interface OfferNotifications {
  /** Has the marketplace send changes of offers to the queue of the account. Done twice it changes nothing. */
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
