import { z } from 'zod';
import { FULFILLMENT_TYPES, MARKETPLACES } from '#domain/marketplaces.ts';
import { Id, Margin, Money, PageParam, sizeParam } from './fields.ts';

/** Largest quantity of one component, as in the bundles file. */
export const MAX_QUANTITY = 999_999_999;
/** Most components per call; larger files are imported in steps. */
const MAX_COMPONENTS = 5_000;

export const BUNDLE_PAGE_SIZES = [10, 25, 50, 100] as const;
export const BUNDLE_PAGE_SIZE = 10;

/** A bundle belongs to a listing SKU, and so to the listings with that SKU on every marketplace. */
const ListingSku = z.string().trim().min(1).max(200);
const Quantity = z.int().min(1).max(MAX_QUANTITY);

/** Cost and weight of a SKU; null is unknown. Weight in ounces. */
const SkuFigures = z.object({
  productCost: Money.nullable(),
  weightOz: z.number().nullable(),
  packagingCost: Money,
  miscCost: Money,
});
export type SkuFigures = z.output<typeof SkuFigures>;

/** One SKU inside a bundle. */
export const BundleComponent = SkuFigures.extend({
  /** Changes with every save, so that a save can name the highest ID its user saw. */
  id: Id,
  listingSku: z.string(),
  componentSkuId: Id,
  quantity: z.int(),
  sku: z.string(),
  name: z.string(),
  /** The SKU was deleted: its cost is unknown, and the bundle cannot be saved with it. */
  isDeleted: z.boolean(),
});
export type BundleComponent = z.output<typeof BundleComponent>;

/**
 * GET /api/bundles/:listingSku: in saved order; empty if it is not a bundle. POST /api/bundles/bulk returns the
 * same.
 */
export const BundleComponents = z.array(BundleComponent);

/** Parameter of `/api/bundles/:listingSku`. */
export const OneBundle = z.strictObject({ listingSku: ListingSku });

/** One component as the client sends it. */
const ComponentInput = z.strictObject({ componentSkuId: Id, quantity: Quantity.prefault(1) });

/** POST /api/bundles/bulk: replaces all components of every listing SKU that it names, in one transaction. */
export const SaveBundles = z
  .array(ComponentInput.extend({ listingSku: ListingSku }))
  .min(1)
  .max(MAX_COMPONENTS);
export type SaveBundles = z.output<typeof SaveBundles>;

/**
 * `seen`: the highest component ID of these bundles that the user saw, 0 for none; 409 when they were saved
 * after that. `restores`: Undo of a removal. Restores the bundle unchanged, deleted SKUs included; its cost
 * then stays unknown. Only where no components are stored.
 */
export const SaveBundlesQuery = z.strictObject({
  seen: z
    .string()
    .regex(/^\d{1,16}$/, 'Expected a number such as 42')
    .transform(Number)
    .optional(),
  restores: z.literal('true').optional(),
});

/**
 * DELETE /api/bundles/:listingSku. `unconfirmed` listings have an unknown cost until a user confirms what they
 * are.
 */
export const RemovedBundle = z.object({ removed: z.int(), unconfirmed: z.int() });
export type RemovedBundle = z.output<typeof RemovedBundle>;

/** POST /api/bundles/confirm-single: these are no longer bundles and cost what their own SKU costs. */
export const ConfirmSingle = z.strictObject({ listingSkus: z.array(ListingSku).min(1).max(1_000) });
export const ConfirmedSingle = z.object({ confirmed: z.int() });

/** POST /api/bundles/preview: the effect of these components. An empty list previews the removal of the bundle. */
export const BundleQuestion = z.strictObject({
  listingSku: ListingSku,
  components: z.array(ComponentInput).max(MAX_COMPONENTS),
});
export type BundleQuestion = z.output<typeof BundleQuestion>;

/** Cost of one unit of a listing; null is unknown, and `missing` lists what to enter and where. */
const ListingFigures = z.object({
  totalCost: Money.nullable(),
  margin: Margin.nullable(),
  marginFloor: Money.nullable(),
  isBelowMarginFloor: z.boolean(),
  missing: z.array(z.string()),
});
export type ListingFigures = z.output<typeof ListingFigures>;

export const BundlePreview = z.object({
  /** The listings with this SKU, at most one per marketplace. */
  listings: z.array(
    z.object({
      listingId: Id,
      marketplace: z.enum(MARKETPLACES),
      fulfillmentType: z.enum(FULFILLMENT_TYPES),
      title: z.string(),
      currentPrice: Money,
      /** With the stored components. */
      before: ListingFigures,
      /** With the components of the request. */
      after: ListingFigures,
    }),
  ),
  /** The SKU with the code of the listing: the bundle's own box, or the product itself. */
  ownSku: SkuFigures.nullable(),
  /** Components that are bundles themselves: their cost is unknown, and the bundle cannot be saved with them. */
  bundlesInside: z.array(z.string()),
  /** The bundle was removed, and no user has confirmed yet that this is not a bundle. */
  isUnconfirmed: z.boolean(),
});
export type BundlePreview = z.output<typeof BundlePreview>;

/**
 * `removed`: was a bundle, and no user has confirmed that it no longer is one · `incomplete`: a component has
 * no cost or no weight, was deleted, or is a bundle itself.
 */
export const BUNDLE_STATES = ['removed', 'incomplete'] as const;
export type BundleState = (typeof BUNDLE_STATES)[number];

/** GET /api/bundles. `q` matches part of the listing SKU, of a title, or of the SKU of a component. */
export const BundlesQuery = z.strictObject({
  q: z.string().trim().max(200).optional(),
  state: z.enum(BUNDLE_STATES).optional(),
  page: PageParam,
  size: sizeParam(BUNDLE_PAGE_SIZES, BUNDLE_PAGE_SIZE),
});
export type BundlesQuery = z.output<typeof BundlesQuery>;

/** GET /api/bundles/export.csv: what the list shows, all pages. */
export const BundlesExportQuery = BundlesQuery.omit({ page: true, size: true });

export const BundleRow = z.object({
  listingSku: z.string(),
  /** Null while no listing has this SKU. */
  title: z.string().nullable(),
  marketplaces: z.array(z.enum(MARKETPLACES)),
  components: z.int(),
  /** Units in one bundle. */
  units: z.number(),
  state: z.enum(BUNDLE_STATES).nullable(),
});
export type BundleRow = z.output<typeof BundleRow>;

export const BundlesPage = z.object({ rows: z.array(BundleRow), total: z.int() });
export type BundlesPage = z.output<typeof BundlesPage>;
