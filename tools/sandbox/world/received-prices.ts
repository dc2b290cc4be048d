import type { Marketplace } from '#domain/marketplaces.ts';
import type { Cents, Instant } from '#domain/units.ts';

/** What became of a price that was asked for. */
export type PriceResult =
  /** Accepted, not live yet. */
  | 'pending'
  /** Went live. */
  | 'applied'
  /** Refused with a reason. */
  | 'refused'
  /** Accepted, and a newer one of the same listing came before it was live. */
  | 'replaced'
  /** Accepted and forgotten: the fault "never_applied". */
  | 'dropped';

/** One price that a marketplace was asked for, whatever became of it. */
export interface ReceivedPrice {
  readonly marketplace: Marketplace;
  readonly sku: string;
  readonly price: Cents;
  readonly at: Instant;
  /** The request that carried it; those of one feed share it. */
  readonly requestId: string;
  /** By which call it came. */
  readonly operation: string;
  readonly fate: PriceResult;
  /** Null unless it went live. */
  readonly appliedAt: Instant | null;
  /** Why it was refused; null when it was not. */
  readonly refusal: string | null;
}

export type LivingHeardPrice = { -readonly [K in keyof ReceivedPrice]: ReceivedPrice[K] };

/** A price as a face hears it. */
export interface AskedPrice {
  readonly sku: string;
  readonly price: Cents;
  readonly requestId: string;
  readonly operation: string;
  /** Milliseconds until buyers see it; 0 is at once. */
  readonly liveAfter: number;
  /** Why the marketplace does not take it; left out or null when it does. */
  readonly refusal?: string | null;
  /** Whether it is accepted and never becomes live. */
  readonly isDropped?: boolean;
}
