import { z } from 'zod';
import { BAND_KINDS } from '#domain/fee.ts';
import { MARKETPLACES } from '#domain/marketplaces.ts';
import { instant } from '#domain/units.ts';
import { AmountInput, Id, Margin, Moment, Money, Percent, PriceInput, percentInput } from './wire.ts';

const FeeBandView = z.object({
  /** The band holds revenues up to and including this; null is the last. */
  upTo: Money.nullable(),
  percent: Percent,
  fixed: Money,
  minimum: Money,
});

/** `past`: a later one of the same marketplace and category holds. */
const FEE_STATES = ['in_force', 'coming', 'past'] as const;

export const FeeScheduleView = z.object({
  id: Id,
  marketplace: z.enum(MARKETPLACES),
  /** Null: every listing without a fee category. */
  category: z.string().nullable(),
  /** Null: always has held. */
  effectiveFrom: Moment.nullable(),
  kind: z.enum(BAND_KINDS),
  bands: z.array(FeeBandView),
  state: z.enum(FEE_STATES),
  /** Listings whose fee it decides now. */
  listings: z.int(),
  /** How many listings would be blocked without it; null when it can go without a word. */
  deletionBlocks: z.int().nullable(),
  createdAt: Moment,
  createdBy: z.string().nullable(),
});
export type FeeScheduleView = z.output<typeof FeeScheduleView>;

/** GET /api/fees. */
export const Fees = z.object({
  schedules: z.array(FeeScheduleView),
  /** Listings of a marketplace and category for which no fee is entered: they are blocked. */
  uncovered: z.array(
    z.object({ marketplace: z.enum(MARKETPLACES), category: z.string().nullable(), listings: z.int() }),
  ),
  /** When somebody said that the fees are right for the account; null before. */
  checked: z.object({ at: Moment, by: z.string().nullable() }).nullable(),
});
export type Fees = z.output<typeof Fees>;

const FeeBandInput = z.strictObject({
  upTo: PriceInput.nullable(),
  percent: percentInput(0, 10_000),
  fixed: AmountInput,
  minimum: AmountInput,
});

/** POST /api/fees, PUT /api/fees/:id. Bands by rising `upTo`, the last one without. */
export const FeeScheduleInput = z.strictObject({
  marketplace: z.enum(MARKETPLACES),
  category: z.string().trim().min(1).max(200).nullable(),
  effectiveFrom: Moment.transform((text) => instant(Date.parse(text))).nullable(),
  kind: z.enum(BAND_KINDS),
  bands: z.array(FeeBandInput).min(1, 'A fee schedule needs at least one band').max(50),
});
export type FeeScheduleInput = z.output<typeof FeeScheduleInput>;
export type FeeScheduleForm = z.input<typeof FeeScheduleInput>;

/**
 * DELETE /api/fees/:id?blocking=. Where listings are left without a fee they will be blocked, so the caller has to name
 * how many (`deletionBlocks`): 409 otherwise.
 */
export const DeleteFeesQuery = z.strictObject({
  blocking: z
    .string()
    .regex(/^\d{1,9}$/, 'Enter the number of listings that will be blocked')
    .transform(Number)
    .optional(),
});

/**
 * POST /api/fees/impact: what saving `schedule` in the place of `id` would do to the prices of now, on the day from which
 * it holds. Nothing is saved.
 */
export const FeeImpactQuestion = z
  .strictObject({
    /** The stored schedule that the draft replaces; null adds it. */
    id: Id.nullable(),
    /** Null: the stored one is deleted. */
    schedule: FeeScheduleInput.nullable(),
  })
  .refine(({ id, schedule }) => id !== null || schedule !== null, 'Expected a schedule, an id or both');
export type FeeImpactQuestion = z.output<typeof FeeImpactQuestion>;
export type FeeImpactForm = z.input<typeof FeeImpactQuestion>;

export const FeeImpact = z.object({
  /** Listings whose fee it would decide or stop deciding now. */
  affected: z.int(),
  /** Their price keeps the minimum margin now and would not any more. */
  underMargin: z.int(),
  /** They can be priced now and could not any more. */
  blocked: z.int(),
  /** Under their margin now and not any more. */
  recovered: z.int(),
  /** Of the listings that fall under their margin or become blocked: the blocked first, then the lowest margins; at most ten. */
  worst: z.array(
    z.object({
      listingId: Id,
      marketplace: z.enum(MARKETPLACES),
      sku: z.string(),
      title: z.string(),
      currentPrice: Money,
      marginBefore: Margin.nullable(),
      marginAfter: Margin.nullable(),
      /** Null: no price would keep the margin, or nothing can be decided. */
      marginFloorAfter: Money.nullable(),
    }),
  ),
});
export type FeeImpact = z.output<typeof FeeImpact>;
