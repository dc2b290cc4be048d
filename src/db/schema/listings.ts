import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  date,
  index,
  integer,
  pgSequence,
  pgTable,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import { holds, isAmount, isCount, isFilled, isOneOf, isPrice, isShare } from '#db/checks.ts';
import { instant, money, share } from '#db/columns.ts';
import { looseCodeOf } from '#db/loose-code.ts';
import { FULFILLMENT_TYPES, MARKETPLACES } from '#domain/marketplaces.ts';
import { repricingRules } from './rules.ts';

/** Numbers the rows of the price ledger. A new listing gets the number of its first row from here. */
export const priceHistoryIds = pgSequence('price_history_id_seq');

/**
 * What we sell, where, and for how much. Listings are never deleted, only marked: their ledger has to stay.
 *
 * `currentPrice` and `currentPriceId` are written only by triggers: a new listing writes the first row of its ledger,
 * and every further row changes the price (see `prices.ts`). An UPDATE of them is rejected.
 * Sort and filter keys of lists are in `listing-keys.ts`; `listings_search_idx` finds parts of SKU and title.
 */
export const listings = pgTable(
  'listings',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    marketplace: text('marketplace', { enum: MARKETPLACES }).notNull().default('walmart'),
    marketplaceItemId: text('marketplace_item_id'),
    sku: text('sku').notNull(),
    title: text('title').notNull(),
    imageUrl: text('image_url'),
    /** The price a buyer sees, as far as we know. */
    currentPrice: money('current_price').notNull(),
    /** The ledger row that set `currentPrice`. */
    currentPriceId: bigint('current_price_id', { mode: 'number' })
      .notNull()
      .default(sql`nextval('price_history_id_seq')`),
    /** The reference of the last decision. */
    competitorPrice: money('competitor_price'),
    fulfillmentType: text('fulfillment_type', { enum: FULFILLMENT_TYPES }).notNull(),
    /**
     * Names the listings of the marketplace that it gives one price; null where it has a price of its own. Triggers end the
     * prices on their way to a group that changes.
     */
    groupKey: text('group_key'),
    autoRepricingEnabled: boolean('auto_repricing_enabled').notNull().default(true),
    ruleId: bigint('rule_id', { mode: 'number' }).references(() => repricingRules.id, {
      onDelete: 'restrict',
    }),
    lastRepriced: instant('last_repriced'),
    fbaSmallAndLightEligible: boolean('fba_small_and_light_eligible').notNull().default(false),
    fbaSmallAndLightEnrolled: boolean('fba_small_and_light_enrolled').notNull().default(false),
    /** What the parcel costs us; overrides the tier. */
    shippingCost: money('shipping_cost'),
    lastShippingCostUpdate: instant('last_shipping_cost_update'),
    recommendedPrice: money('recommended_price'),
    recommendedPriceReason: text('recommended_price_reason'),
    /** The last price set by a user, a file or the marketplace. The ledger sets it; rules, Apply and Undo never do. */
    anchorPrice: money('anchor_price').notNull(),
    minPrice: money('min_price'),
    maxPrice: money('max_price'),
    /** What the buyer pays us for shipping. */
    shippingCharge: money('shipping_charge').notNull().default(sql`0`),
    /** The FBA/WFS fee; null is unknown and blocks. */
    fulfillmentCost: money('fulfillment_cost'),
    fulfillmentCostIsEstimate: boolean('fulfillment_cost_is_estimate').notNull().default(false),
    /** Entered by a user or a file. */
    feeCategory: text('fee_category'),
    /** What the marketplace reports it is: its product type, and its category with the ancestors, "11450/15709". */
    productType: text('product_type'),
    externalCategory: text('external_category'),
    /** The fee category found by them, once a user accepted to price with it. */
    acceptedCategory: text('accepted_category'),
    /** A user's own commission, whatever the marketplace reported, and who entered it. */
    feeRate: share('fee_rate'),
    feeRateBy: text('fee_rate_by'),
    /** Shares of the revenue counted for advertising and returns; null counts those of the marketplace. */
    adShare: share('ad_share'),
    returnShare: share('return_share'),
    /** The seller's own MAP price, and the first and last day on which it holds; null is unbounded. */
    mapPrice: money('map_price'),
    mapFrom: date('map_from', { mode: 'string' }),
    mapUntil: date('map_until', { mode: 'string' }),
    /** From a file, each with its time: units that can be sold, and for how long the oldest have been in stock. */
    stock: integer('stock'),
    stockAt: instant('stock_at'),
    stockAgeDays: integer('stock_age_days'),
    stockAgeAt: instant('stock_age_at'),
    /** A price from elsewhere that a rule may ask for, and when it was known. */
    externalPrice: money('external_price'),
    externalPriceAt: instant('external_price_at'),
    /** Overrides the SKU's value; null uses that. */
    brand: text('brand'),
    supplier: text('supplier'),
    /** On hold if `heldBy` is set; without `heldUntil` until a user resumes it. */
    heldUntil: instant('held_until'),
    heldBy: text('held_by'),
    holdReason: text('hold_reason'),
    /** Marketplaces with price files: a price applied since then was not uploaded yet. */
    awaitingUploadSince: instant('awaiting_upload_since'),
    /** The bundle was deleted, and no user has confirmed that this listing is no bundle. */
    bundleUnconfirmed: boolean('bundle_unconfirmed').notNull().default(false),
    /** Since when its marketplace's catalog no longer has it; null while it does, or is not synced. */
    missingSince: instant('missing_since'),
    /** Counts edits by users: a stale save is rejected. */
    version: integer('version').notNull().default(1),
    createdAt: instant('created_at').notNull().default(sql`now()`),
    updatedAt: instant('updated_at').notNull().default(sql`now()`),
    deletedAt: instant('deleted_at'),
  },
  (t) => [
    uniqueIndex('listings_key').on(t.marketplace, t.sku).where(sql`${t.deletedAt} is null`),
    index('listings_group_idx')
      .on(t.marketplace, t.groupKey)
      .where(sql`${t.groupKey} is not null and ${t.deletedAt} is null`),
    index('listings_sku_idx').on(t.sku),
    index('listings_loose_code_idx').on(looseCodeOf(t.sku)).where(sql`${t.deletedAt} is null`),
    index('listings_item_id_idx')
      .on(t.marketplace, t.marketplaceItemId)
      .where(sql`${t.marketplaceItemId} is not null`),
    index('listings_product_type_idx')
      .on(t.marketplace, t.productType)
      .where(sql`${t.productType} is not null`),
    index('listings_rule_id_idx').on(t.ruleId).where(sql`${t.ruleId} is not null`),
    index('listings_brand_idx')
      .on(sql`lower(${t.brand})`)
      .where(sql`${t.deletedAt} is null and ${t.brand} is not null`),
    index('listings_supplier_idx')
      .on(sql`lower(${t.supplier})`)
      .where(sql`${t.deletedAt} is null and ${t.supplier} is not null`),
    isOneOf(t.marketplace, MARKETPLACES),
    isOneOf(t.fulfillmentType, FULFILLMENT_TYPES),
    isFilled(t.sku, 200),
    isFilled(t.title, 1000),
    isFilled(t.groupKey, 200),
    isFilled(t.productType, 200),
    isFilled(t.externalCategory, 200),
    isFilled(t.acceptedCategory, 200),
    isShare(t.feeRate, '0', '99.99'),
    isFilled(t.feeRateBy, 200),
    isShare(t.adShare, '0', '99.99'),
    isShare(t.returnShare, '0', '99.99'),
    isPrice(t.mapPrice),
    isCount(t.stock),
    isCount(t.stockAgeDays),
    isPrice(t.externalPrice),
    holds('map_days_in_order', sql`${t.mapFrom} <= ${t.mapUntil}`),
    holds('stock_whole', sql`(${t.stock} is null) = (${t.stockAt} is null)`),
    holds('stock_age_whole', sql`(${t.stockAgeDays} is null) = (${t.stockAgeAt} is null)`),
    holds('external_price_whole', sql`(${t.externalPrice} is null) = (${t.externalPriceAt} is null)`),
    holds('fee_rate_by_has_rate', sql`${t.feeRateBy} is null or ${t.feeRate} is not null`),
    isFilled(t.brand, 200),
    isFilled(t.supplier, 200),
    isPrice(t.currentPrice),
    isPrice(t.competitorPrice),
    isAmount(t.shippingCost),
    isPrice(t.recommendedPrice),
    isPrice(t.anchorPrice),
    isPrice(t.minPrice),
    isPrice(t.maxPrice),
    holds('min_at_most_max', sql`${t.minPrice} <= ${t.maxPrice}`),
    isAmount(t.shippingCharge),
    isAmount(t.fulfillmentCost),
    holds(
      'recommendation_says_why',
      sql`${t.recommendedPrice} is null or ${t.recommendedPriceReason} is not null`,
    ),
    holds(
      'hold_is_whole',
      sql`(${t.heldBy} is null) = (${t.holdReason} is null) and (${t.heldUntil} is null or ${t.heldBy} is not null)`,
    ),
  ],
);

/**
 * What the costs of a listing and the terms of its fees were, once they have changed: the row at a moment is the newest
 * one not after it. A listing without rows has had its present ones since ever.
 */
export const listingCosts = pgTable(
  'listing_costs',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    listingId: bigint('listing_id', { mode: 'number' })
      .notNull()
      .references(() => listings.id, { onDelete: 'cascade' }),
    /** Null is since ever. */
    effectiveFrom: instant('effective_from'),
    fulfillmentType: text('fulfillment_type', { enum: FULFILLMENT_TYPES }).notNull(),
    /** What the parcel costs us; null is the shipping tier. */
    shipping: money('shipping'),
    /** The FBA/WFS fee; null is unknown. */
    fulfillment: money('fulfillment'),
    /** The marketplace reported the fee, no user entered it. */
    fulfillmentIsEstimate: boolean('fulfillment_is_estimate').notNull().default(false),
    /** A user's own commission; null for none. */
    feeRate: share('fee_rate'),
    feeCategory: text('fee_category'),
    productType: text('product_type'),
    externalCategory: text('external_category'),
    acceptedCategory: text('accepted_category'),
    enteredAt: instant('entered_at').notNull().default(sql`now()`),
  },
  (t) => [
    index('listing_costs_listing_id_idx').on(t.listingId, t.effectiveFrom),
    isOneOf(t.fulfillmentType, FULFILLMENT_TYPES),
    isAmount(t.shipping),
    isAmount(t.fulfillment),
    isShare(t.feeRate, '0', '99.99'),
    isFilled(t.feeCategory, 200),
    isFilled(t.productType, 200),
    isFilled(t.externalCategory, 200),
    isFilled(t.acceptedCategory, 200),
  ],
);
