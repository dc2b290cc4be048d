import { z } from 'zod';
import { LIMIT_BASES } from '#domain/relative-limit.ts';
import { ListingSelection } from './listings.ts';
import { Id, Money, PriceInput, percentInput, SignedAmountInput } from './wire.ts';

/**
 * What becomes of a minimum or maximum price: an amount, null for none, or so far above (below where negative) what it
 * is worked out from: `cost` the total cost before fees, `own` its present value, `price` the current price, `floor` the
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

/** POST /api/listings/limits-preview: what setting these limits would do to each listing. Writes nothing. */
export const PreviewLimits = z.strictObject({ selection: ListingSelection, limits: LimitChanges });

/** Why a listing keeps its limits: what they are worked out from is unknown, or what comes out cannot be. */
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
  /** Stands for all of it: goes back with POST /api/listings/limits. */
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
    /** The new minimum is below the margin floor, which goes on to decide. */
    minBelowFloor: z.int(),
    /** The new maximum is below the margin floor: they are not repriced any more. */
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

/** POST /api/listings/limits: sets limits as previewed; 409 when they would come out otherwise by now. */
export const SetLimits = PreviewLimits.extend({ token: z.string().max(100) });
