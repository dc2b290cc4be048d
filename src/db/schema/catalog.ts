import { sql } from 'drizzle-orm';
import {
  type AnyPgColumn,
  bigint,
  boolean,
  index,
  integer,
  pgTable,
  text,
  unique,
} from 'drizzle-orm/pg-core';
import { holds, isAmount, isCount, isFilled, isLength, isOneOf, isWeight } from '#db/checks.ts';
import { inches, instant, money, weight } from '#db/columns.ts';
import { looseCodeOf } from '#db/loose-code.ts';
import { FULFILLMENT_TYPES, MARKETPLACES } from '#domain/marketplaces.ts';

/*
 * IDs here and in every table except the accounts are bigint identities, not uuids: with a million listings and
 * many rows for each, eight ascending bytes keep every index half as large and inserts on its last page,
 * and work is split by ranges of listing IDs. They are no secret: every route checks access.
 */

interface Keyed {
  readonly id: AnyPgColumn;
  readonly deletedAt: AnyPgColumn;
}

/** One index per order of the list. */
function ordersOf(columns: Readonly<Record<string, AnyPgColumn>>, t: Keyed) {
  return Object.entries(columns).map(([name, column]) =>
    index(`skus_${name}_idx`).on(column, t.id).where(sql`${t.deletedAt} is null`),
  );
}

/** The other direction of a sort order with nulls: SKUs without a value come last in both. */
function ordersDownOf(columns: Readonly<Record<string, AnyPgColumn>>, t: Keyed) {
  return Object.entries(columns).map(([name, column]) =>
    index(`skus_${name}_down_idx`)
      .on(sql`${column} DESC NULLS LAST`, sql`${t.id} DESC NULLS LAST`)
      .where(sql`${t.deletedAt} is null`),
  );
}

/**
 * What a product costs us. A cost or weight that was not entered is null, never zero. A deleted SKU is marked and keeps
 * its code: a new SKU with that code reuses the row, so that bundles find it.
 */
export const skus = pgTable(
  'skus',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    sku: text('sku').notNull().unique(),
    name: text('name').notNull(),
    productCost: money('product_cost'),
    weightOz: weight('weight_oz'),
    /** Of one packed unit. */
    lengthIn: inches('length_in'),
    widthIn: inches('width_in'),
    heightIn: inches('height_in'),
    /** Hazardous goods, for which warehouses charge other fees. */
    isHazardous: boolean('is_hazardous').notNull().default(false),
    packagingCost: money('packaging_cost').notNull().default(sql`0`),
    miscCost: money('misc_cost').notNull().default(sql`0`),
    veeqoId: text('veeqo_id'),
    /** Manufacturer and supplier. */
    brand: text('brand'),
    supplier: text('supplier'),
    tags: text('tags').array().notNull().default([]),
    /** Counts edits: a stale save is rejected. */
    version: integer('version').notNull().default(1),
    createdAt: instant('created_at').notNull().default(sql`now()`),
    updatedAt: instant('updated_at').notNull().default(sql`now()`),
    deletedAt: instant('deleted_at'),
    /** Lower case, compared by code point (collation "C"). */
    skuKey: text('sku_key').generatedAlwaysAs(sql`lower(sku)`),
    nameKey: text('name_key').generatedAlwaysAs(sql`lower(name)`),
  },
  (t) => [
    ...ordersOf(
      { sku_key: t.skuKey, name_key: t.nameKey, packaging_cost: t.packagingCost, misc_cost: t.miscCost },
      t,
    ),
    ...ordersOf({ product_cost: t.productCost, weight_oz: t.weightOz, veeqo_id: t.veeqoId }, t),
    ...ordersDownOf({ product_cost: t.productCost, weight_oz: t.weightOz, veeqo_id: t.veeqoId }, t),
    index('skus_loose_code_idx').on(looseCodeOf(t.sku)),
    // `skus_tags_search_idx` finds tags; drizzle cannot describe it.
    index('skus_brand_idx')
      .on(sql`lower(${t.brand})`)
      .where(sql`${t.deletedAt} is null and ${t.brand} is not null`),
    index('skus_supplier_idx')
      .on(sql`lower(${t.supplier})`)
      .where(sql`${t.deletedAt} is null and ${t.supplier} is not null`),
    isFilled(t.sku, 200),
    isFilled(t.name, 500),
    isFilled(t.brand, 200),
    isFilled(t.supplier, 200),
    isAmount(t.productCost),
    isWeight(t.weightOz),
    isLength(t.lengthIn),
    isLength(t.widthIn),
    isLength(t.heightIn),
    isAmount(t.packagingCost),
    isAmount(t.miscCost),
  ],
);

/**
 * What a parcel costs us by weight: `min <= weight < max`.
 * An exclusion constraint (`shipping_tiers_no_overlap`) rejects two tiers for one weight.
 */
export const shippingTiers = pgTable(
  'shipping_tiers',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    marketplace: text('marketplace', { enum: MARKETPLACES }).notNull(),
    fulfillmentType: text('fulfillment_type', { enum: FULFILLMENT_TYPES }).notNull(),
    minWeightOz: weight('min_weight_oz').notNull(),
    maxWeightOz: weight('max_weight_oz').notNull(),
    cost: money('cost').notNull(),
    /** From when it applies; null is since ever. */
    effectiveFrom: instant('effective_from'),
  },
  (t) => [
    isOneOf(t.marketplace, MARKETPLACES),
    isOneOf(t.fulfillmentType, FULFILLMENT_TYPES),
    isWeight(t.minWeightOz),
    isWeight(t.maxWeightOz),
    holds('min_below_max', sql`${t.minWeightOz} < ${t.maxWeightOz}`),
    isAmount(t.cost),
  ],
);

/** Shipping tiers that were changed or deleted, with the time in which they applied. */
export const pastShippingTiers = pgTable(
  'past_shipping_tiers',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    marketplace: text('marketplace', { enum: MARKETPLACES }).notNull(),
    fulfillmentType: text('fulfillment_type', { enum: FULFILLMENT_TYPES }).notNull(),
    minWeightOz: weight('min_weight_oz').notNull(),
    maxWeightOz: weight('max_weight_oz').notNull(),
    cost: money('cost').notNull(),
    /** Null is since ever. */
    effectiveFrom: instant('effective_from'),
    effectiveUntil: instant('effective_until').notNull(),
  },
  (t) => [
    index('past_shipping_tiers_idx').on(t.marketplace, t.fulfillmentType),
    isOneOf(t.marketplace, MARKETPLACES),
    isOneOf(t.fulfillmentType, FULFILLMENT_TYPES),
    isWeight(t.minWeightOz),
    isWeight(t.maxWeightOz),
    holds('min_below_max', sql`${t.minWeightOz} < ${t.maxWeightOz}`),
    isAmount(t.cost),
  ],
);

/**
 * Every cost and size that a SKU ever had, and when it was hazardous: a change of `skus` adds a row. The cost at a moment is the newest row not after it,
 * and before the first known cost that one.
 */
export const skuCosts = pgTable(
  'sku_costs',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    skuId: bigint('sku_id', { mode: 'number' })
      .notNull()
      .references(() => skus.id, { onDelete: 'cascade' }),
    /** Null is since ever. */
    effectiveFrom: instant('effective_from'),
    productCost: money('product_cost'),
    weightOz: weight('weight_oz'),
    lengthIn: inches('length_in'),
    widthIn: inches('width_in'),
    heightIn: inches('height_in'),
    isHazardous: boolean('is_hazardous').notNull().default(false),
    packagingCost: money('packaging_cost').notNull(),
    miscCost: money('misc_cost').notNull(),
    enteredAt: instant('entered_at').notNull().default(sql`now()`),
  },
  (t) => [
    index('sku_costs_sku_id_idx').on(t.skuId, t.effectiveFrom),
    isAmount(t.productCost),
    isWeight(t.weightOz),
    isLength(t.lengthIn),
    isLength(t.widthIn),
    isLength(t.heightIn),
    isAmount(t.packagingCost),
    isAmount(t.miscCost),
  ],
);

/**
 * The parts of a bundle, for its code on every marketplace. A component stays when its SKU is marked as deleted, and
 * its cost is unknown then; without it the bundle's cost would drop, and its margin floor with it.
 */
export const bundleComponents = pgTable(
  'bundle_components',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    listingSku: text('listing_sku').notNull(),
    componentSkuId: bigint('component_sku_id', { mode: 'number' })
      .notNull()
      .references(() => skus.id, { onDelete: 'restrict' }),
    quantity: integer('quantity').notNull().default(1),
  },
  (t) => [
    unique('bundle_components_key').on(t.listingSku, t.componentSkuId),
    index('bundle_components_component_sku_id_idx').on(t.componentSkuId),
    isFilled(t.listingSku, 200),
    isCount(t.quantity, 1),
  ],
);

/**
 * What was in a bundle, once it has changed: the row at a moment is the newest one not after it, without components once
 * it was removed. A bundle without rows has had its present components since ever.
 */
export const bundleVersions = pgTable(
  'bundle_versions',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    listingSku: text('listing_sku').notNull(),
    /** Null is since ever. */
    effectiveFrom: instant('effective_from'),
    /** Each with its quantity, in the same order. */
    componentSkuIds: bigint('component_sku_ids', { mode: 'number' }).array().notNull(),
    quantities: integer('quantities').array().notNull(),
  },
  (t) => [
    index('bundle_versions_listing_sku_idx').on(t.listingSku, t.effectiveFrom),
    index('bundle_versions_component_sku_ids_idx').using('gin', t.componentSkuIds),
    isFilled(t.listingSku, 200),
    holds('a_quantity_each', sql`cardinality(${t.componentSkuIds}) = cardinality(${t.quantities})`),
  ],
);
