import { z } from 'zod';
import { LIMIT_BASES } from '#domain/limits/relative-limit.ts';
import { Id, Money, PriceInput, percentInput, SignedAmountInput } from './fields.ts';
import { ListingSelection } from './listings.ts';

/**
 * The new minimum or maximum price: an amount, null for none, or an offset above (below where negative) its
 * base: `cost` the total cost before fees, `own` its present value, `price` the current price, `floor` the
 * margin floor. A minimum is rounded up to the cent, a maximum down.
 */
const LimitChange = z.union([
  z.strictObject({ to: PriceInput.nullable() }),
  z.strictObject({ from: z.enum(LIMIT_BASES), percent: percentInput(-9_999, 99_999) }),
  z.strictObject({ from: z.enum(LIMIT_BASES), amount: SignedAmountInput }),
]);
export type LimitChange = z.output<typeof LimitChange>;
export type LimitChangeForm = z.input<typeof LimitChange>;

const LimitChanges = z
  .strictObject({ minPrice: LimitChange.optional(), maxPrice: LimitChange.optional() })
  .refine(({ minPrice, maxPrice }) => minPrice !== undefined || maxPrice !== undefined, 'Choose what to set');
export type LimitChanges = z.output<typeof LimitChanges>;
export type LimitChangesForm = z.input<typeof LimitChanges>;

/** POST /api/listings/limits-preview: the effect of these limits on each listing. Writes nothing. */
export const PreviewLimits = z.strictObject({ selection: ListingSelection, limits: LimitChanges });

/** Why a listing keeps its limits: their base is unknown, or the result is not valid. */
export const LIMIT_REFUSALS = [
  'no_cost',
  'no_value',
  'no_floor',
  'no_price',
  'min_above_max',
  'deleted',
] as const;
export type LimitRefusal = (typeof LIMIT_REFUSALS)[number];

const LimitMove = z.object({ from: Money.nullable(), to: Money.nullable() });

export const LimitPlan = z.object({
  /** Identifies this exact preview; sent back with POST /api/listings/limits. */
  token: z.string(),
  listings: z.int(),
  changes: z.int(),
  /** Have these limits already. */
  unchanged: z.int(),
  refused: z.array(
    z.object({
      why: z.enum(LIMIT_REFUSALS),
      count: z.int(),
      /** The first three. */ skus: z.array(z.string()),
    }),
  ),
  /** Of those that change. */
  effects: z.object({
    /** The new minimum is below the margin floor, which still applies. */
    minBelowFloor: z.int(),
    /** The new maximum is below the margin floor: they are no longer repriced. */
    maxBelowFloor: z.int(),
    /** The current price is below the new minimum, or above the new maximum. */
    priceBelowMin: z.int(),
    priceAboveMax: z.int(),
  }),
  /** The largest changes first, at most 20. Null for a limit that stays. */
  rows: z.array(
    z.object({
      listingId: Id,
      sku: z.string(),
      title: z.string(),
      currentPrice: Money,
      floor: Money.nullable(),
      minPrice: LimitMove.nullable(),
      maxPrice: LimitMove.nullable(),
    }),
  ),
});
export type LimitPlan = z.output<typeof LimitPlan>;

/** POST /api/listings/limits: sets limits as previewed; 409 when the result is different now. */
export const SetLimits = PreviewLimits.extend({ token: z.string().max(100) });
