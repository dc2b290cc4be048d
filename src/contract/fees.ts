import { z } from 'zod';
import { FEE_CONFIDENCES, FEE_ORIGINS } from '#domain/fees/fee-publication.ts';
import { BAND_KINDS, EDGE_BASES } from '#domain/fees/fee-schedule.ts';
import { SALES_TAX_SOURCES } from '#domain/fees/sales-tax.ts';
import { MARKETPLACES } from '#domain/marketplaces.ts';
import { instant } from '#domain/units.ts';
import { AmountInput, Id, Margin, Moment, Money, Percent, PriceInput, percentInput } from './fields.ts';

const FeeBandView = z.object({
  /** The band covers revenues up to and including this; null for the last band. */
  upTo: Money.nullable(),
  /** Taken on revenue. */
  percent: Percent,
  /** Taken on the total with sales tax, in addition. */
  percentTaxed: Percent,
  /** Per order. */
  fixed: Money,
  perUnit: Money,
  /** What `percent` comes to is never below this. */
  minimum: Money,
});

/** `past`: a later schedule of the same marketplace and category applies. */
const FEE_STATES = ['in_force', 'coming', 'past'] as const;

export const FeeScheduleView = z.object({
  id: Id,
  marketplace: z.enum(MARKETPLACES),
  /** Null: every listing without a fee category. */
  category: z.string().nullable(),
  /** Null: no start date. */
  effectiveFrom: Moment.nullable(),
  kind: z.enum(BAND_KINDS),
  /** What the upper ends of the bands are measured on. */
  edgeBase: z.enum(EDGE_BASES),
  bands: z.array(FeeBandView),
  state: z.enum(FEE_STATES),
  /** Listings it applies to now. */
  listings: z.int(),
  /** Number of listings that would be blocked without it; null when it can be deleted without confirmation. */
  deletionBlocks: z.int().nullable(),
  createdAt: Moment,
  createdBy: z.string().nullable(),
  /** `shipped`: published fees, updated with new releases; `edited`: a user's, which stay. */
  origin: z.enum(FEE_ORIGINS),
  /** Where a shipped schedule was read, and how sure it is; null for edited ones. */
  publication: z
    .object({
      title: z.string(),
      date: Moment.nullable(),
      confidence: z.enum(FEE_CONFIDENCES),
      note: z.string().nullable(),
    })
    .nullable(),
});
export type FeeScheduleView = z.output<typeof FeeScheduleView>;

/** What the fees of a marketplace depend on besides the category. */
export const FeeTermsView = z.object({
  marketplace: z.enum(MARKETPLACES),
  /** The seller's plan with the marketplace; null where all sellers pay the same. */
  plan: z.string().nullable(),
  plans: z.array(z.string()).readonly(),
  /** Sales tax as a share of revenue, for what is taken on the total with it, that a user entered; null for none. */
  salesTax: Percent.nullable(),
  /** The share that counts: the entered one, else the learned one, else 8%, which is assumed. */
  countedSalesTax: Percent,
  salesTaxSource: z.enum(SALES_TAX_SOURCES),
  /** Shares of the revenue counted for advertising and returns in the margin floors; null counts none. */
  adShare: Percent.nullable(),
  returnShare: Percent.nullable(),
  /** What advertising and returns were of the revenue in the last 90 days, null where none was booked; null for fewer than 30 sales. */
  learned: z.object({ adShare: Percent.nullable(), returnShare: Percent.nullable() }).nullable(),
  /** That of the settled orders of 90 days, which counts where none was entered; null before there are 30. */
  learnedSalesTax: Percent.nullable(),
  /** How many orders it was learned from; null where that is not known. */
  learnedFromOrders: z.int().nullable(),
});
export type FeeTermsView = z.output<typeof FeeTermsView>;

/** PUT /api/fee-terms/:marketplace. Another plan replaces the shipped schedules, never those of users. */
export const FeeTermsInput = z.strictObject({
  plan: z.string().min(1).max(100).nullable(),
  /** Null: none is entered, and the learned or the assumed one counts. */
  salesTax: percentInput(0, 3_000).nullable(),
  /** Omitted ones do not change, null clears. */
  adShare: percentInput(0, 9_999).nullable().optional(),
  returnShare: percentInput(0, 9_999).nullable().optional(),
});
export type FeeTermsInput = z.output<typeof FeeTermsInput>;
export type FeeTermsForm = z.input<typeof FeeTermsInput>;

/** GET /api/fees. */
export const Fees = z.object({
  schedules: z.array(FeeScheduleView),
  /** Listings of a marketplace and category without a fee: they are blocked. */
  uncovered: z.array(
    z.object({ marketplace: z.enum(MARKETPLACES), category: z.string().nullable(), listings: z.int() }),
  ),
  terms: z.array(FeeTermsView),
  /** When an administrator confirmed that the fees match the account; null before. */
  checked: z.object({ at: Moment, by: z.string().nullable() }).nullable(),
});
export type Fees = z.output<typeof Fees>;

const FeeBandInput = z.strictObject({
  upTo: PriceInput.nullable(),
  percent: percentInput(0, 10_000),
  percentTaxed: percentInput(0, 10_000).prefault('0.00'),
  fixed: AmountInput,
  perUnit: AmountInput.prefault('0.00'),
  minimum: AmountInput,
});

/** POST /api/fees, PUT /api/fees/:id. Bands by rising `upTo`, the last one without. */
export const FeeScheduleInput = z.strictObject({
  marketplace: z.enum(MARKETPLACES),
  category: z.string().trim().min(1).max(200).nullable(),
  effectiveFrom: Moment.transform((text) => instant(Date.parse(text))).nullable(),
  kind: z.enum(BAND_KINDS),
  edgeBase: z.enum(EDGE_BASES).prefault('revenue'),
  bands: z.array(FeeBandInput).min(1, 'A fee schedule needs at least one band').max(50),
});
export type FeeScheduleInput = z.output<typeof FeeScheduleInput>;
export type FeeScheduleForm = z.input<typeof FeeScheduleInput>;

/**
 * DELETE /api/fees/:id?blocking=. Listings left without a fee would be blocked, so the caller has to confirm
 * their number (`deletionBlocks`): 409 otherwise.
 */
export const DeleteFeesQuery = z.strictObject({
  blocking: z
    .string()
    .regex(/^\d{1,9}$/, 'Enter the number of listings that will be blocked')
    .transform(Number)
    .optional(),
});

/**
 * POST /api/fees/impact: the effect of saving `schedule` in place of `id` on current prices, on its start date.
 * Nothing is saved.
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
  /** Listings it would start or stop applying to. */
  affected: z.int(),
  /** Their price keeps the minimum margin now and would no longer. */
  underMargin: z.int(),
  /** They can be priced now and no longer could. */
  blocked: z.int(),
  /** They are below their margin now and no longer would be. */
  recovered: z.int(),
  /**
   * Of the listings that would fall below their margin or become blocked: the blocked first, then the lowest
   * margins; at most ten.
   */
  worst: z.array(
    z.object({
      listingId: Id,
      marketplace: z.enum(MARKETPLACES),
      sku: z.string(),
      title: z.string(),
      currentPrice: Money,
      marginBefore: Margin.nullable(),
      marginAfter: Margin.nullable(),
      /** Null: no price would keep the margin, or no price can be decided. */
      marginFloorAfter: Money.nullable(),
    }),
  ),
});
export type FeeImpact = z.output<typeof FeeImpact>;
