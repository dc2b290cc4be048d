import { z } from 'zod';
import { MAX_INCHES } from '#domain/fees/warehouse-fee.ts';
import { BelowMarginFloor, CostSince, SalesImpact } from './costs.ts';
import { AmountInput, Id, Moment, Money, PageParam, sizeParam } from './fields.ts';
import { LABEL_FILTER, Label, LONGEST_TAG, MAX_TAGS } from './labels.ts';
import { isWeightStep, WeightInput } from './tiers.ts';

export const SKU_SORTS = [
  'sku',
  'name',
  'productCost',
  'weightOz',
  'packagingCost',
  'miscCost',
  'veeqoId',
] as const;
export type SkuSort = (typeof SKU_SORTS)[number];

export const SKU_PAGE_SIZES = [10, 25, 50, 100, 250] as const;
export const SKU_PAGE_SIZE = 25;

/** The cost of a product. Money is a decimal string in dollars; an unknown cost or weight is null. */
export const Sku = z.object({
  id: Id,
  sku: z.string(),
  name: z.string(),
  productCost: Money.nullable(),
  /** Ounces. */
  weightOz: z.number().nullable(),
  /** Inches of one packed unit; null is unknown. */
  lengthIn: z.number().nullable(),
  widthIn: z.number().nullable(),
  heightIn: z.number().nullable(),
  /** Hazardous goods, for which FBA and WFS charge other fees. */
  isHazardous: z.boolean(),
  packagingCost: Money,
  miscCost: Money,
  /** The ID of the product at the inventory provider. */
  veeqoId: z.string().nullable(),
  /** The manufacturer and the supplier; null is unknown. */
  brand: z.string().nullable(),
  supplier: z.string().nullable(),
  tags: z.array(z.string()),
  createdAt: Moment,
  updatedAt: Moment,
  /** Sent back with an edit: 409 when another user saved after that. */
  version: z.int(),
});
export type Sku = z.output<typeof Sku>;

/** Filters of the SKUs: `q` matches part of SKU or name, case-insensitive. */
const SkuFilter = z.strictObject({ q: z.string().trim().max(200).optional(), ...LABEL_FILTER });
export type SkuFilter = z.output<typeof SkuFilter>;

/** A sort key with "-" before it for descending: "-productCost". SKUs without a value come last either way. */
const SkuSortParam = z
  .string()
  .regex(/^-?[a-zA-Z]{1,40}$/)
  .refine((text) => (SKU_SORTS as readonly string[]).includes(text.replace('-', '')), {
    message: `Expected one of ${SKU_SORTS.join(', ')}, with - before it for descending`,
  })
  .transform((text) => ({ by: text.replace('-', '') as SkuSort, descending: text.startsWith('-') }));

/** GET /api/skus?page=2&pageSize=50&q=mug&sort=-productCost. A page past the last one is empty. */
export const SkusQuery = SkuFilter.extend({
  sort: SkuSortParam.prefault('sku'),
  page: PageParam,
  pageSize: sizeParam(SKU_PAGE_SIZES, SKU_PAGE_SIZE),
});
export type SkusQuery = z.output<typeof SkusQuery>;

/** One page, and the number of SKUs on all pages. */
export const SkusPage = z.object({ skus: z.array(Sku), total: z.int() });
export type SkusPage = z.output<typeof SkusPage>;

const Code = z.string().trim().min(1, 'Enter the code of the SKU').max(200, 'At most 200 characters');
const Name = z.string().trim().min(1, 'Enter a name').max(500, 'At most 500 characters');
/** Null and a blank mean none. */
const VeeqoId = z
  .string()
  .trim()
  .max(200, 'At most 200 characters')
  .nullable()
  .transform((text) => text || null);
const Tags = z
  .array(
    z
      .string()
      .trim()
      .min(1)
      .max(LONGEST_TAG)
      .regex(/^[^|]*$/, 'Without |'),
  )
  .max(MAX_TAGS);

/** Inches of a request: 0 or more, with at most four decimals, as in a file. 0 is unknown. */
const InchesInput = z
  .number()
  .min(0, 'Not negative')
  .max(MAX_INCHES, 'At most 10,000 in')
  .refine(isWeightStep, 'Enter inches with at most four decimals, such as 12.5');
const Side = InchesInput.nullable();

/** POST /api/skus: 201 with the SKU. 409 for a code that exists, with its id as `fields.existing`. */
export const NewSku = z.strictObject({
  sku: Code,
  name: Name,
  productCost: AmountInput,
  weightOz: WeightInput,
  lengthIn: Side.default(null),
  widthIn: Side.default(null),
  heightIn: Side.default(null),
  isHazardous: z.boolean().default(false),
  packagingCost: AmountInput.prefault('0'),
  miscCost: AmountInput.prefault('0'),
  veeqoId: VeeqoId.prefault(null),
  brand: Label.prefault(null),
  supplier: Label.prefault(null),
  tags: Tags.default([]),
});
export type NewSku = z.output<typeof NewSku>;

/** Codes of other SKUs that differ only in case, spaces or a leading apostrophe: most likely the same product. */
export const SimilarSkus = z.object({ similar: z.array(z.string()) });

/** GET /api/skus/similar?sku=mug-1, before a SKU is created. */
export const SimilarSkusQuery = z.strictObject({ sku: Code });

/** The SKU, and the codes it could be mistaken for. */
export const CreatedSku = Sku.extend(SimilarSkus.shape);
export type CreatedSku = z.output<typeof CreatedSku>;
export type NewSkuForm = z.input<typeof NewSku>;

/**
 * What can be changed on a SKU. Omitted fields do not change; a null cost or weight is unknown and blocks the
 * listings that need it. Its code cannot change: listings and bundles refer to it.
 */
export const SkuFields = z.strictObject({
  name: Name.optional(),
  productCost: AmountInput.nullable().optional(),
  weightOz: WeightInput.nullable().optional(),
  lengthIn: Side.optional(),
  widthIn: Side.optional(),
  heightIn: Side.optional(),
  isHazardous: z.boolean().optional(),
  packagingCost: AmountInput.optional(),
  miscCost: AmountInput.optional(),
  veeqoId: VeeqoId.optional(),
  brand: Label.optional(),
  supplier: Label.optional(),
  tags: Tags.optional(),
});
export type SkuFields = z.output<typeof SkuFields>;
export type SkuFieldsForm = z.input<typeof SkuFields>;

/** PUT /api/skus/:id. `version` is the one the user saw: 409 when another user saved after that. */
export const EditSku = SkuFields.extend({ version: z.int(), costSince: CostSince });
export type EditSku = z.output<typeof EditSku>;

/** The current SKU, and its listings whose price is now below their margin floor. */
export const SavedSku = z.object({
  sku: Sku,
  belowMarginFloorCount: z.int(),
  /** At most 50 of them. */
  belowMarginFloor: z.array(BelowMarginFloor),
});
export type SavedSku = z.output<typeof SavedSku>;

/** What uses SKUs for its cost: listings that are not deleted, those of bundles included, and bundles. */
const SkuUse = z.object({ listings: z.int(), bundles: z.int() });

export const SkuImpactRequest = SkuFields.extend({ costSince: CostSince });
export type SkuImpactRequest = z.output<typeof SkuImpactRequest>;
export type SkuImpactForm = z.input<typeof SkuImpactRequest>;

/** POST /api/skus/:id/impact: the effect of saving these fields. Writes nothing. */
export const SkuImpact = SkuUse.extend({
  /** Listings that would fall below their margin floor; those already below it are not counted. */
  fallingCount: z.int(),
  /** At most 50 of them, with their new margin floor. */
  falling: z.array(BelowMarginFloor),
  /** Listings whose cost would become unknown: they are not repriced until it is known again. */
  unknownCount: z.int(),
  sales: SalesImpact,
});
export type SkuImpact = z.output<typeof SkuImpact>;

/** More are not deleted, or restored, in one call. */
export const MAX_SKUS_AT_ONCE = 10_000;

/** SKUs by ID, or all that match a filter; then `expected` is the count the user saw. */
export const SkuSelection = z.union([
  z.strictObject({ ids: z.array(Id).min(1).max(1_000) }),
  z.strictObject({ filter: SkuFilter, expected: z.int().min(0) }),
]);
export type SkuSelection = z.output<typeof SkuSelection>;

/** POST /api/skus/uses, /delete. 409 when a filter matches another number of SKUs than the user saw. */
export const OnSkus = z.strictObject({ selection: SkuSelection });

/** POST /api/skus/uses: what deleting them would leave without a cost. */
export const SkuUses = SkuUse.extend({
  skus: z.int(),
  /** The first three codes. */
  named: z.array(z.string()),
});
export type SkuUses = z.output<typeof SkuUses>;

/** The SKUs that were deleted, restored or marked. */
export const SkusDone = z.object({ ids: z.array(Id) });

/** POST /api/skus/undelete: Undo of a delete. Those that exist already are skipped. */
export const UndeleteSkus = z.strictObject({ ids: z.array(Id).min(1).max(MAX_SKUS_AT_ONCE) });

/**
 * POST /api/skus/hazardous: marks SKUs as hazardous goods, or no longer. Answers with those that changed: the same call with
 * them and the other value undoes it. 409 when a filter matches another number of SKUs than the user saw.
 */
export const MarkHazardous = z.strictObject({ selection: SkuSelection, isHazardous: z.boolean() });
export type MarkHazardous = z.output<typeof MarkHazardous>;

/** GET /api/skus/export.csv: filter and order of the list; `ids` names up to 1,000 of them, "7,12,33". */
export const SkusExportQuery = SkusQuery.omit({ page: true, pageSize: true }).extend({
  ids: z
    .string()
    .regex(/^[1-9]\d{0,14}(,[1-9]\d{0,14}){0,999}$/, 'Expected up to 1,000 numbers such as 7,12,33')
    .transform((text) => text.split(','))
    .optional(),
});
