import { sql } from 'drizzle-orm';
import {
  type AnyPgColumn,
  bigint,
  boolean,
  index,
  numeric,
  pgTable,
  smallint,
  text,
} from 'drizzle-orm/pg-core';
import { holds, isAmount, isMargin, isPrice, isShare } from '#db/checks.ts';
import { instant, margin, money, share } from '#db/columns.ts';
import { FULFILLMENT_TYPES, MARKETPLACES } from '#domain/marketplaces.ts';
import { listings } from './listings.ts';

const FILTERS = [
  'marketplace',
  'fulfillmentType',
  'isRepriceable',
  'floorSide',
  'isRecommended',
  'isOff',
  'isToUpload',
] as const;
type Columns = Readonly<Record<(typeof FILTERS)[number] | 'listingId' | 'isLive', AnyPgColumn>>;

/** The index of one order, with the usual filters after the ID, for index-only scans of filtered pages and counts. */
function inOrder(name: string, t: Columns, key: AnyPgColumn) {
  const filters = FILTERS.map((filter) => t[filter]).filter((column) => column !== key);
  return index(`listing_keys_${name}_idx`)
    .on(key, t.listingId, ...filters)
    .where(sql`${t.isLive}`);
}

/** As far as the widest margin at the highest price. */
const isWide = (column: AnyPgColumn) =>
  holds(`${column.name}_range`, sql`${column} between -99999999999999999999.99 and 99999999999999999999.99`);

/**
 * What the list of listings is sorted and filtered by, one narrow row per listing, written by triggers alone.
 * The first half follows `listings`, the second `listing_metrics`.
 */
export const listingKeys = pgTable(
  'listing_keys',
  {
    listingId: bigint('listing_id', { mode: 'number' })
      .primaryKey()
      .references(() => listings.id, { onDelete: 'cascade' }),
    isLive: boolean('is_live').notNull(),
    marketplace: text('marketplace', { enum: MARKETPLACES }).notNull(),
    fulfillmentType: text('fulfillment_type', { enum: FULFILLMENT_TYPES }).notNull(),
    /** Lower case. These three compare by code point (collation "C"). */
    skuKey: text('sku_key').notNull(),
    /** The first 200 characters in lower case: what an index can hold. */
    titleKey: text('title_key').notNull(),
    /** All of a longer title in lower case, for the search. */
    longTitle: text('long_title'),
    currentPrice: money('current_price').notNull(),
    shippingCharge: money('shipping_charge').notNull(),
    isRecommended: boolean('is_recommended').notNull(),
    /** A hold was set; it may have expired. */
    isHeld: boolean('is_held').notNull(),
    heldUntil: instant('held_until'),
    isToUpload: boolean('is_to_upload').notNull(),
    awaitingUploadSince: instant('awaiting_upload_since'),
    isOff: boolean('is_off').notNull(),
    totalCost: money('total_cost'),
    margin: margin('margin'),
    countedShare: share('counted_share'),
    marginFloor: money('margin_floor'),
    amazonWalmartPrice: money('amazon_walmart_price'),
    thirdPartyFbaWfsPrice: money('third_party_fba_wfs_price'),
    thirdPartyFbmPrice: money('third_party_fbm_price'),
    ruleId: bigint('rule_id', { mode: 'number' }),
    /** Null before the first decision. */
    isRepriceable: boolean('is_repriceable'),
    /** Missing costs and the reason code of a block; `no_rule` when no rule prices the listing. */
    problems: text('problems').array().notNull().default([]),
    /** Another seller has the featured offer. */
    isBuyBoxLost: boolean('is_buy_box_lost').notNull().default(false),
    /** Repricing pauses it after too many cuts against one competitor. */
    isAtWar: boolean('is_at_war').notNull().default(false),
    /** The step or daily limit stopped the price on its way. */
    isHeldBack: boolean('is_held_back').notNull().default(false),
    /** Below the margin floor, in a price war, or capped by a limit. */
    isStuck: boolean('is_stuck')
      .notNull()
      .generatedAlwaysAs(sql`coalesce(current_price < margin_floor, false) or is_at_war or is_held_back`),
    /**
     * Profit and fees of one unit at the current price; null is unknown. Both come from the margin, which is rounded down to
     * a basis point: the profit is never above the exact one, and at most a cent and 0.01% of the revenue below it; the fees
     * in percent of the revenue are at most 0.01 too high. Shares for advertising and returns lower the profit; the fees
     * are without them, up to a cent of rounding.
     */
    profit: numeric('profit', { precision: 25, scale: 2 }).generatedAlwaysAs(
      sql`floor(margin * (current_price + shipping_charge)) / 100`,
    ),
    feeRate: numeric('fee_rate', { precision: 25, scale: 2 }).generatedAlwaysAs(
      sql`100 * (current_price + shipping_charge - total_cost) / (current_price + shipping_charge) - margin - coalesce(counted_share, 0)`,
    ),
    /** -1 below the margin floor, 0 at it, 1 above; null while it is unknown. */
    floorSide: smallint('floor_side').generatedAlwaysAs(sql`sign(current_price - margin_floor)::smallint`),
  },
  (t) => [
    // One per order; a backward scan is the other direction.
    inOrder('marketplace', t, t.marketplace),
    inOrder('sku', t, t.skuKey),
    inOrder('title', t, t.titleKey),
    inOrder('current_price', t, t.currentPrice),
    inOrder('total_cost', t, t.totalCost),
    inOrder('margin', t, t.margin),
    inOrder('profit', t, t.profit),
    inOrder('fee_rate', t, t.feeRate),
    inOrder('amazon_walmart', t, t.amazonWalmartPrice),
    inOrder('fba_wfs', t, t.thirdPartyFbaWfsPrice),
    inOrder('fbm', t, t.thirdPartyFbmPrice),
    // The price history still shows deleted ones.
    index('listing_keys_gone_idx').on(t.marketplace, t.listingId).where(sql`not ${t.isLive}`),
    index('listing_keys_rule_idx').on(t.ruleId).where(sql`${t.isLive} and ${t.ruleId} is not null`),
    index('listing_keys_floor_idx').on(t.floorSide).where(sql`${t.isLive} and ${t.floorSide} <= 0`),
    index('listing_keys_problems_idx')
      .using('gin', t.problems)
      .where(sql`${t.isLive} and ${t.problems} <> '{}'`),
    index('listing_keys_unpriced_idx')
      .on(t.isRepriceable)
      .where(sql`${t.isLive} and ${t.isRepriceable} is not true`),
    index('listing_keys_recommended_idx').on(t.listingId).where(sql`${t.isLive} and ${t.isRecommended}`),
    index('listing_keys_held_idx').on(t.listingId).where(sql`${t.isLive} and ${t.isHeld}`),
    index('listing_keys_to_upload_idx').on(t.awaitingUploadSince).where(sql`${t.isLive} and ${t.isToUpload}`),
    index('listing_keys_buy_box_idx').on(t.listingId).where(sql`${t.isLive} and ${t.isBuyBoxLost}`),
    index('listing_keys_war_idx').on(t.listingId).where(sql`${t.isLive} and ${t.isAtWar}`),
    index('listing_keys_held_back_idx').on(t.listingId).where(sql`${t.isLive} and ${t.isHeldBack}`),
    index('listing_keys_stuck_idx').on(t.listingId).where(sql`${t.isLive} and ${t.isStuck}`),
    index('listing_keys_off_idx').on(t.listingId).where(sql`${t.isLive} and ${t.isOff}`),
    isPrice(t.currentPrice),
    isAmount(t.shippingCharge),
    isWide(t.profit),
    isWide(t.feeRate),
    isAmount(t.totalCost),
    isMargin(t.margin),
    isShare(t.countedShare, '0', '200'),
    isPrice(t.marginFloor),
    isAmount(t.amazonWalmartPrice),
    isAmount(t.thirdPartyFbaWfsPrice),
    isAmount(t.thirdPartyFbmPrice),
  ],
);
