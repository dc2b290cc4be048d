import { eq } from 'drizzle-orm';
import type { LightMyRequestResponse } from 'fastify';
import type { EditListingCosts } from '#contract/costs.ts';
import type { ListingFields } from '#contract/listings.ts';
import type { SkuFields } from '#contract/skus.ts';
import type { Db } from '#db/client.ts';
import type { skus } from '#db/schema/catalog.ts';
import { listingMetrics } from '#db/schema/listing-metrics.ts';
import type { listings } from '#db/schema/listings.ts';
import { bps, ounces } from '#domain/units.ts';
import { usd } from '#tests/builders/facts.ts';
import { IS_ALL } from './breadth.ts';
import { addListing, addSku } from './seed.ts';

export type Call = (
  method: 'PUT' | 'POST' | 'DELETE',
  url: string,
  payload?: object,
) => Promise<LightMyRequestResponse>;
export type NewListing = Partial<typeof listings.$inferInsert>;
export type NewSku = Partial<typeof skus.$inferInsert>;

/** What is changed: a listing and the SKU of its code. */
export interface Target {
  readonly id: number;
  readonly skuId: number;
}

/** Adds a listing with its SKU, as they are before they are changed. */
export async function addTarget(
  db: Db,
  sku: string,
  listing: NewListing = {},
  costs: NewSku = {},
): Promise<Target> {
  const skuId = await addSku(db, sku, costs);
  return { id: await addListing(db, sku, listing), skuId };
}

/** What the next change of a listing is held against; undefined before its first decision. */
export async function lowestAllowedOf(db: Db, listingId: number): Promise<number | null | undefined> {
  const rows = await db.select().from(listingMetrics).where(eq(listingMetrics.listingId, listingId));
  return rows[0]?.lowestAllowed;
}

/** One way to lower a floor: what there is before, and a call that lowers it. */
interface Way {
  readonly listing?: NewListing;
  readonly sku?: NewSku;
  readonly to: string | number | null;
}

/** Null for what a lowest allowed price does not depend on; the compiler asks for every field there is. */
const LISTING_FIELDS: Readonly<Record<keyof ListingFields, Way | null>> = {
  autoRepricingEnabled: null,
  brand: null,
  supplier: null,
  maxPrice: null,
  externalPrice: null,
  // No MAP price is part of what is compared, neither ours nor the marketplace's.
  mapPrice: null,
  mapFrom: null,
  mapUntil: null,
  minPrice: { listing: { minPrice: usd(18) }, to: null },
  shippingCost: { listing: { shippingCost: usd(9) }, to: '0' },
  shippingCharge: { to: '9' },
  fulfillmentCost: { listing: { fulfillmentType: 'FBA/WFS', fulfillmentCost: usd(9) }, to: '0' },
  feeCategory: { listing: { feeCategory: 'Dear' }, to: null },
  feeRate: { listing: { feeRate: bps(4_000) }, to: null },
  adShare: { listing: { adShare: bps(2_000) }, to: null },
  returnShare: { listing: { returnShare: bps(2_000) }, to: '0' },
  // Of sales so far alone.
  costSince: null,
  // Of the strict rule.
  ruleId: { listing: { ruleId: 2 }, to: null },
};
/** A WFS listing whose fee is that of its dimensional weight. */
const ESTIMATED = {
  listing: { fulfillmentType: 'FBA/WFS' },
  sku: { weightOz: ounces(20), lengthIn: 20, widthIn: 20, heightIn: 10 },
} as const;
const SKU_FIELDS: Readonly<Record<keyof SkuFields, Way | null>> = {
  name: null,
  brand: null,
  supplier: null,
  veeqoId: null,
  tags: null,
  productCost: { to: '0.01' },
  weightOz: { listing: { shippingCost: null }, sku: { weightOz: ounces(20) }, to: 1 },
  lengthIn: { ...ESTIMATED, to: 1 },
  widthIn: { ...ESTIMATED, to: 1 },
  heightIn: { ...ESTIMATED, to: 1 },
  // What WFS adds for it is no fifth of any price above $10.00, and FBA has no lowest allowed price while it is.
  isHazardous: null,
  packagingCost: { sku: { packagingCost: usd(9) }, to: '0' },
  miscCost: { sku: { miscCost: usd(9) }, to: '0' },
};
const PARTS: Readonly<Record<Exclude<keyof EditListingCosts, 'version' | 'skuVersion' | 'costSince'>, Way>> =
  {
    product: { to: '0.01' },
    packaging: { sku: { packagingCost: usd(9) }, to: '0' },
    misc: { sku: { miscCost: usd(9) }, to: '0' },
    shipping: { listing: { shippingCost: usd(9) }, to: '0' },
    fulfillment: { listing: { fulfillmentType: 'FBA/WFS', fulfillmentCost: usd(9) }, to: '0' },
  };

type Act = (of: Target) => Promise<LightMyRequestResponse>;
type FieldWay = readonly [name: string, way: Way, act: Act];

function fieldsOf(
  table: Readonly<Record<string, Way | null>>,
  send: (field: object, of: Target) => Promise<LightMyRequestResponse>,
  label: string,
): FieldWay[] {
  return Object.entries(table).flatMap(([field, way]) =>
    way === null ? [] : [[`${label} ${field}`, way, (of) => send({ [field]: way.to }, of)]],
  );
}

const inTurn = (turn: 0 | 1, ways: readonly FieldWay[]): FieldWay[] =>
  ways.filter((_, at) => IS_ALL || at % 2 === turn);

/**
 * Every field of a listing, a SKU or a cost that a lowest allowed price depends on, by every call that sets it: those of a
 * listing by its two calls in turn, and with --all by both.
 */
export const floorFields = (send: Call): FieldWay[] => [
  ...inTurn(
    0,
    fieldsOf(
      LISTING_FIELDS,
      (fields, { id }) => send('PUT', `/api/listings/${id}`, { version: 1, fields }),
      'listing',
    ),
  ),
  ...inTurn(
    1,
    fieldsOf(
      LISTING_FIELDS,
      (fields, { id }) => send('POST', '/api/listings/edit', { selection: { ids: [String(id)] }, fields }),
      'selected listing',
    ),
  ),
  ...fieldsOf(
    SKU_FIELDS,
    (fields, { skuId }) => send('PUT', `/api/skus/${skuId}`, { version: 1, ...fields }),
    'SKU',
  ),
  ...fieldsOf(
    PARTS,
    (fields, { id }) => send('PUT', `/api/listings/${id}/costs`, { version: 1, skuVersion: 1, ...fields }),
    'cost',
  ),
];

/** A fee schedule of half the revenue. */
export const DEAR = {
  marketplace: 'walmart',
  category: 'Dear',
  effectiveFrom: null,
  kind: 'whole',
  bands: [{ upTo: null, percent: '50', fixed: '0', minimum: '0' }],
};

/** Files that lower what is allowed for A-1, LOW, BOX and TIERED. */
export const FLOOR_FILES = {
  skus: 'sku,name,productCost\nA-1,Product A-1,0.01\n',
  listings:
    'marketplace,sku,title,currentPrice,fulfillmentType,minPrice\nwalmart,LOW,Product LOW,20.00,FBM,\n',
  bundles: 'listingSku,componentSku,quantity\nBOX,CHEAP,1\n',
  tiers: 'marketplace,fulfillmentType,minWeightOz,maxWeightOz,cost\nwalmart,FBM,0,8,0.00\n',
};
