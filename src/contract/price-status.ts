import { z } from 'zod';
import { MARKETPLACES } from '#domain/marketplaces.ts';
import { Id, Moment, Money } from './fields.ts';

/**
 * State of a price on a connected marketplace: `queued` waits to be sent · `sent` no response yet · `accepted`
 * by the marketplace, not yet visible to buyers · `unknown` whether it arrived, so it is being read back ·
 * `rejected` the marketplace keeps the previous price · `expired` a manual price that was not sent.
 */
const IN_PROGRESS_STATES = ['queued', 'sent', 'accepted', 'unknown', 'rejected', 'expired'] as const;

/** The newest price of a listing that is not confirmed (yet). */
export const PriceInProgress = z.object({
  price: Money,
  state: z.enum(IN_PROGRESS_STATES),
  /** Since when it is in that state. */
  since: Moment,
  /** Why it is not confirmed, in a sentence, usually the marketplace's. */
  marketplaceMessage: z.string().nullable(),
  /** A queued price that is sent only after this time, because the marketplace accepts none before; else null. */
  pausedUntil: Moment.nullable(),
  /** The marketplace refused this price. It is not sent again until something changes or a user retries. */
  isRefused: z.boolean(),
});
export type PriceInProgress = z.output<typeof PriceInProgress>;

/** A price that failed: rejected, not sent, or with an unknown result. */
export const FailedPrice = PriceInProgress.extend({
  id: Id,
  listingId: Id,
  marketplace: z.enum(MARKETPLACES),
  sku: z.string(),
  productTitle: z.string(),
  fromPrice: Money,
  /** The user; null for the engine. */
  actor: z.string().nullable(),
});
export type FailedPrice = z.output<typeof FailedPrice>;
