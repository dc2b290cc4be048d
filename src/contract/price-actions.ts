import { z } from 'zod';
import { ListingRow, ListingSelection } from './listings.ts';
import { Id, Margin, Money, PriceInput, WhileHalted } from './wire.ts';

/** PUT /api/listings/:id/price: a price a person types. `from` is the price they saw: 409 when it has moved. */
export const SetPrice = z.strictObject({ price: PriceInput, from: PriceInput, whileHalted: WhileHalted });

/** POST /api/listings/:id/retry: sends a refused price once more. `price` is the one they saw: 409 when it is another. */
export const RetryPrice = z.strictObject({ price: PriceInput });

/** GET /api/listings/:id/price-check?price=: what a typed price would mean. Nothing changes. */
export const PriceCheckQuery = z.strictObject({ price: PriceInput });
export const PriceCheck = z.object({
  margin: Margin.nullable(),
  /** Profit of one sale; null while a cost is unknown. */
  profit: Money.nullable(),
  isAllowed: z.boolean(),
  /** Which limit refuses it and how to go on; null when allowed. */
  message: z.string().nullable(),
  lowestAllowedPrice: Money.nullable(),
  highestAllowedPrice: Money.nullable(),
});
export type PriceCheck = z.output<typeof PriceCheck>;

/** POST /api/listings/:id/apply. `shown` is the recommended price the person saw: 409 with the new one when it differs. */
export const ApplyOne = z.strictObject({ shown: PriceInput });

/** POST /api/listings/apply: the recommendations of many. Decided again each; `maxMove` refuses none by itself. */
export const ApplyMany = z.strictObject({ selection: ListingSelection });

/** POST /api/listings/apply-preview: what Apply would do, before anybody presses it. */
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

/** POST /api/listings/hold. `hours` null: until somebody resumes. */
export const HoldListings = z.strictObject({
  selection: ListingSelection,
  hours: z.int().min(1).max(8_760).nullable(),
  reason: z.string().trim().min(1, 'Say why').max(200),
});
/** POST /api/listings/resume ends holds; POST /api/listings/uploaded clears "to upload" marks. */
export const OnSelection = z.strictObject({ selection: ListingSelection });

/** POST /api/history/:listingId/:id/revert: back to the old price of that row. `from`: the price they saw. */
export const RevertPrice = z.strictObject({ from: PriceInput, whileHalted: WhileHalted });

/** A price act on one listing answers with the row as it is now. */
export const PricedListing = ListingRow;
