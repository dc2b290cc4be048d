import { z } from 'zod';
import { FULFILLMENT_TYPES, MARKETPLACES } from '#domain/marketplaces.ts';
import { Id, Margin, Money, PageParam, sizeParam } from './wire.ts';

/** The most of one component, as in the bundles file. */
export const MOST_QUANTITY = 999_999_999;
/** The most components in one call; larger files are imported in steps. */
export const MOST_COMPONENTS = 5_000;

export const BUNDLE_PAGE_SIZES = [10, 25, 50, 100] as const;
export const BUNDLE_PAGE_SIZE = 10;

/** A bundle belongs to a listing SKU, and so to the listings of that code on every marketplace. */
const ListingSku = z.string().trim().min(1).max(200);
const Quantity = z.int().min(1).max(MOST_QUANTITY);

/** What a SKU costs and weighs; what nobody entered is null. Weight in ounces. */
const SkuFigures = z.object({
  productCost: Money.nullable(),
  weightOz: z.number().nullable(),
  packagingCost: Money,
  miscCost: Money,
});
export type SkuFigures = z.output<typeof SkuFigures>;

/** One SKU inside a bundle. */
export const BundleComponent = SkuFigures.extend({
  /** New after every save: who saves says up to which id they have seen. */
  id: Id,
  listingSku: z.string(),
  componentSkuId: Id,
  quantity: z.int(),
  sku: z.string(),
  name: z.string(),
  /** The SKU was deleted: what it costs is not known, and the bundle cannot be saved with it. */
  isDeleted: z.boolean(),
});
export type BundleComponent = z.output<typeof BundleComponent>;

/** GET /api/bundles/:listingSku: in the order they were saved; empty for what is no bundle. POST /api/bundles/bulk answers alike. */
export const BundleComponents = z.array(BundleComponent);

/** Of `/api/bundles/:listingSku`. */
export const OneBundle = z.strictObject({ listingSku: ListingSku });

/** One component as the client sends it. */
const ComponentInput = z.strictObject({ componentSkuId: Id, quantity: Quantity.prefault(1) });

/** POST /api/bundles/bulk: replaces all components of every listing SKU that it names, in one transaction. */
export const SaveBundles = z
  .array(ComponentInput.extend({ listingSku: ListingSku }))
  .min(1)
  .max(MOST_COMPONENTS);
export type SaveBundles = z.output<typeof SaveBundles>;

/**
 * `seen`: the highest component id of these bundles that the person saw, 0 for none; 409 when they were saved since.
 * `restores`: Undo of a removal. What was in it comes back as it was, a SKU that was deleted since too; the cost then
 * stays unknown. Only where no components are stored.
 */
export const SaveBundlesQuery = z.strictObject({
  seen: z
    .string()
    .regex(/^\d{1,16}$/, 'Expected a number such as 42')
    .transform(Number)
    .optional(),
  restores: z.literal('true').optional(),
});

/** DELETE /api/bundles/:listingSku. `unconfirmed` listings have an unknown cost until somebody decides what they are. */
export const RemovedBundle = z.object({ removed: z.int(), unconfirmed: z.int() });
export type RemovedBundle = z.output<typeof RemovedBundle>;

/** POST /api/bundles/confirm-single: these are no bundles any more, and cost what their own SKU costs. */
export const ConfirmSingle = z.strictObject({ listingSkus: z.array(ListingSku).min(1).max(1_000) });
export const ConfirmedSingle = z.object({ confirmed: z.int() });

/** POST /api/bundles/preview: what these components would mean. None: what it means that it is no bundle. */
export const BundleQuestion = z.strictObject({
  listingSku: ListingSku,
  components: z.array(ComponentInput).max(MOST_COMPONENTS),
});
export type BundleQuestion = z.output<typeof BundleQuestion>;

/** What one unit of a listing costs; null is unknown, and `missing` says what to enter and where. */
const ListingFigures = z.object({
  totalCost: Money.nullable(),
  margin: Margin.nullable(),
  marginFloor: Money.nullable(),
  isBelowMarginFloor: z.boolean(),
  missing: z.array(z.string()),
});
export type ListingFigures = z.output<typeof ListingFigures>;

export const BundlePreview = z.object({
  /** The listings with this SKU, one on each marketplace at most. */
  listings: z.array(
    z.object({
      listingId: Id,
      marketplace: z.enum(MARKETPLACES),
      fulfillmentType: z.enum(FULFILLMENT_TYPES),
      title: z.string(),
      currentPrice: Money,
      /** With what is stored. */
      before: ListingFigures,
      /** With what was asked about. */
      after: ListingFigures,
    }),
  ),
  /** The SKU with the code of the listing: the box of a bundle, or the article itself. */
  ownSku: SkuFigures.nullable(),
  /** Components that are bundles themselves: what they cost is not known, and the bundle cannot be saved with them. */
  bundlesInside: z.array(z.string()),
  /** The bundle was removed and nobody has said yet that this is none. */
  isUnconfirmed: z.boolean(),
});
export type BundlePreview = z.output<typeof BundlePreview>;

/** `removed`: was a bundle and nobody confirmed that it is none · `incomplete`: a component has no cost or no weight, was deleted, or is a bundle itself. */
export const BUNDLE_STATES = ['removed', 'incomplete'] as const;
export type BundleState = (typeof BUNDLE_STATES)[number];

/** GET /api/bundles. `q` looks for a part of the listing SKU, of a title, or of the SKU of a component. */
export const BundlesQuery = z.strictObject({
  q: z.string().trim().max(200).optional(),
  state: z.enum(BUNDLE_STATES).optional(),
  page: PageParam,
  size: sizeParam(BUNDLE_PAGE_SIZES, BUNDLE_PAGE_SIZE),
});
export type BundlesQuery = z.output<typeof BundlesQuery>;

/** GET /api/bundles/export.csv: what the list shows, on all pages. */
export const BundlesExportQuery = BundlesQuery.omit({ page: true, size: true });

export const BundleRow = z.object({
  listingSku: z.string(),
  /** Null while no listing has this SKU. */
  title: z.string().nullable(),
  marketplaces: z.array(z.enum(MARKETPLACES)),
  components: z.int(),
  /** Pieces in one bundle. */
  units: z.number(),
  state: z.enum(BUNDLE_STATES).nullable(),
});
export type BundleRow = z.output<typeof BundleRow>;

export const BundlesPage = z.object({ rows: z.array(BundleRow), total: z.int() });
export type BundlesPage = z.output<typeof BundlesPage>;

/** POST /api/bundles/check?name=bundles.csv with the file as body: reads it and writes nothing. */
export const CheckBundlesQuery = z.strictObject({ name: z.string().trim().min(1).max(300) });

/** The largest file that is checked and saved in one go, in bytes. */
export const MOST_BUNDLE_BYTES = 1_000_000;

/** A bundles file as it was understood. It can be saved when `errorCount` is 0. */
export const CheckedBundles = z.object({
  /** Ready for POST /api/bundles/bulk. */
  components: z.array(ComponentInput.extend({ listingSku: z.string() })),
  /** How many bundles there are in the file, and how many of them are stored already. */
  bundles: z.int(),
  replaced: z.int(),
  /** The first 5 rows, as written. */
  preview: z.array(
    z.object({ line: z.int(), listingSku: z.string(), sku: z.string(), quantity: z.string() }),
  ),
  errorCount: z.int(),
  /** The first 100: 'Line 3: SKU "MUG" not found'. */
  errors: z.array(z.string()),
});
export type CheckedBundles = z.output<typeof CheckedBundles>;
