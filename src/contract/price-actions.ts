import { z } from 'zod';
import { Confirmed, DespiteReasons, Id, Margin, Money, PriceInput } from './fields.ts';
import { ListingRow, ListingSelection } from './listings.ts';

/** PUT /api/listings/:id/price: sets a manual price. `from` is the price the user saw: 409 when it has changed. */
export const SetPrice = z.strictObject({ price: PriceInput, from: PriceInput, ...Confirmed });

/**
 * POST /api/listings/:id/retry: sends a rejected price again. `price` is the one the user saw: 409 when it is
 * different. During a halt a price that a user set has to be confirmed; one that repricing decided is not sent.
 */
export const RetryPrice = z.strictObject({ price: PriceInput, ...Confirmed });

/** GET /api/listings/:id/price-check?price=: checks a manual price. Nothing changes. */
export const PriceCheckQuery = z.strictObject({ price: PriceInput });
export const PriceCheck = z.object({
  margin: Margin.nullable(),
  /** Profit of one sale; null while a cost is unknown. */
  profit: Money.nullable(),
  isAllowed: z.boolean(),
  /** The limit that refuses it and what to do; null when allowed. */
  message: z.string().nullable(),
  lowestAllowedPrice: Money.nullable(),
  highestAllowedPrice: Money.nullable(),
  /**
   * What the marketplace does with it, one sentence each: a sale or repricer that has to be confirmed, a business price
   * above it. None of them refuses it.
   */
  notes: z.array(z.string()),
});
export type PriceCheck = z.output<typeof PriceCheck>;

/**
 * POST /api/listings/:id/apply. `shown` is the recommended price the user saw: 409 with the new one when it
 * differs.
 */
export const ApplyOne = z.strictObject({ shown: PriceInput, despiteReasons: DespiteReasons });

/** POST /api/listings/apply: applies many recommendations. Each is decided again. */
export const ApplyMany = z.strictObject({ selection: ListingSelection, despiteReasons: DespiteReasons });

/** POST /api/listings/apply-preview: what Apply would do. Nothing changes. */
export const ApplyPreview = z.object({
  count: z.int(),
  blockedCount: z.int(),
  raised: z.int(),
  lowered: z.int(),
  /** The largest moves first, at most 50. */
  rows: z.array(
    z.object({
      listingId: Id,
      sku: z.string(),
      title: z.string(),
      oldPrice: Money,
      newPrice: Money,
      marginBefore: Margin.nullable(),
      marginAfter: Margin.nullable(),
    }),
  ),
  blocked: z.array(z.object({ listingId: Id, sku: z.string(), message: z.string() })),
});
export type ApplyPreview = z.output<typeof ApplyPreview>;

/** POST /api/listings/hold. `hours` null: until a user resumes. */
export const HoldListings = z.strictObject({
  selection: ListingSelection,
  hours: z.int().min(1).max(8_760).nullable(),
  reason: z.string().trim().min(1, 'Say why').max(200),
});
/** POST /api/listings/resume ends holds; POST /api/listings/uploaded clears "to upload" marks. */
export const OnSelection = z.strictObject({ selection: ListingSelection });

/** POST /api/history/:listingId/:id/revert: restores the old price of that row. `from`: the price the user saw. */
export const RevertPrice = z.strictObject({ from: PriceInput, ...Confirmed });

/** A price action on one listing returns its current row. */
export const PricedListing = ListingRow;
