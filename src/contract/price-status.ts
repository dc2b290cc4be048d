import { z } from 'zod';
import { MARKETPLACES } from '#domain/marketplaces.ts';
import { Id, Moment, Money } from './wire.ts';

/**
 * How far a price is on its way to a connected marketplace: `queued` waits to be sent · `sent` no answer yet ·
 * `accepted` taken, and buyers do not see it yet · `unknown` nobody knows whether it arrived, it is being read back ·
 * `rejected` the marketplace keeps the price before · `expired` a person's price that was not sent.
 */
const UNDER_WAY_STATES = ['queued', 'sent', 'accepted', 'unknown', 'rejected', 'expired'] as const;

/** The newest price of a listing that buyers do not see (yet). */
export const PriceInProgress = z.object({
  price: Money,
  state: z.enum(UNDER_WAY_STATES),
  /** Of that state. */
  since: Moment,
  /** Why it is not live, in a sentence, mostly the marketplace's. */
  answer: z.string().nullable(),
  /** The marketplace itself refused this price, and it is not sent again before something changes or somebody says so. */
  isRefused: z.boolean(),
});
export type PriceInProgress = z.output<typeof PriceInProgress>;

/** A price that did not become one: refused, not sent, or of which nobody knows. */
export const FailedPrice = PriceInProgress.extend({
  id: Id,
  listingId: Id,
  marketplace: z.enum(MARKETPLACES),
  sku: z.string(),
  productTitle: z.string(),
  fromPrice: Money,
  /** The person; null for the engine. */
  actor: z.string().nullable(),
});
export type FailedPrice = z.output<typeof FailedPrice>;
