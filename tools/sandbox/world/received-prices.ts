import type { Marketplace } from '#domain/marketplaces.ts';
import type { Cents, Instant } from '#domain/units.ts';

/** The outcome of a received price. */
export type PriceResult =
  /** Accepted, not live yet. */
  | 'pending'
  /** Went live. */
  | 'applied'
  /** Rejected with a reason. */
  | 'refused'
  /** Accepted, then superseded by a newer price of the same listing before it was live. */
  | 'replaced'
  /** Accepted and never applied: the fault "never_applied". */
  | 'dropped';

/** One price that a marketplace received, accepted or not. */
export interface ReceivedPrice {
  readonly marketplace: Marketplace;
  readonly sku: string;
  readonly price: Cents;
  readonly at: Instant;
  /** The request that sent it; prices of one feed share it. */
  readonly requestId: string;
  /** The call that sent it. */
  readonly operation: string;
  readonly outcome: PriceResult;
  /** Null unless it went live. */
  readonly appliedAt: Instant | null;
  /** Why it was rejected; null if it was not. */
  readonly refusal: string | null;
}

export type MutableReceivedPrice = { -readonly [K in keyof ReceivedPrice]: ReceivedPrice[K] };

/** A price as an adapter reports it. */
export interface PriceRequest {
  readonly sku: string;
  readonly price: Cents;
  readonly requestId: string;
  readonly operation: string;
  /** Milliseconds until buyers see it; 0 for immediately. */
  readonly liveAfter: number;
  /** Why the marketplace rejects it; null or undefined if it accepts it. */
  readonly refusal?: string | null;
  /** Whether it is accepted and never becomes live. */
  readonly isDropped?: boolean;
}
