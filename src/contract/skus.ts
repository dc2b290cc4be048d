import { z } from 'zod';
import { Id, Moment, Money, PageParam, sizeParam } from './wire.ts';

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

/** What an article costs us. Money is a decimal string in dollars; a cost or weight that nobody entered is null. */
export const Sku = z.object({
  id: Id,
  sku: z.string(),
  name: z.string(),
  productCost: Money.nullable(),
  /** Ounces. */
  weightOz: z.number().nullable(),
  packagingCost: Money,
  miscCost: Money,
  /** The number of the product at the inventory provider. */
  veeqoId: z.string().nullable(),
  tags: z.array(z.string()),
  createdAt: Moment,
  updatedAt: Moment,
  /** Goes back with an edit: 409 when somebody else saved since. */
  version: z.int(),
});
export type Sku = z.output<typeof Sku>;

/** Which SKUs: `q` looks for a part of SKU or name, in whatever case. */
export const SkuFilter = z.strictObject({ q: z.string().trim().max(200).optional() });
export type SkuFilter = z.output<typeof SkuFilter>;

/** A sort key with "-" before it for descending: "-productCost". SKUs without a value come last either way. */
const SkuSortParam = z
  .string()
  .regex(/^-?[a-zA-Z]+$/)
  .refine((text) => (SKU_SORTS as readonly string[]).includes(text.replace('-', '')), {
    message: `Expected one of ${SKU_SORTS.join(', ')}, with - before it for descending`,
  })
  .transform((text) => ({ by: text.replace('-', '') as SkuSort, descending: text.startsWith('-') }));

/** GET /api/skus?page=2&pageSize=50&q=mug&sort=-productCost. A page behind the last one is empty. */
export const SkusQuery = SkuFilter.extend({
  sort: SkuSortParam.prefault('sku'),
  page: PageParam,
  pageSize: sizeParam(SKU_PAGE_SIZES, SKU_PAGE_SIZE),
});
export type SkusQuery = z.output<typeof SkusQuery>;

/** One page, and how many SKUs there are on all pages. */
export const SkusPage = z.object({ skus: z.array(Sku), total: z.int() });
export type SkusPage = z.output<typeof SkusPage>;
