import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  unique,
} from 'drizzle-orm/pg-core';
import { holds, isAmount, isCount, isFilled, isOneOf, isPrice, isShare } from '#db/checks.ts';
import { instant, money, share } from '#db/columns.ts';
import { READ_COVERAGES } from '#domain/competition/competition.ts';
import { FULFILLMENT_TYPES, MARKETPLACES } from '#domain/marketplaces.ts';
import { listings } from './listings.ts';

/** The offers for a listing's item as last reported. A file or a sync replaces all rows of each listing it contains. */
export const competitorOffers = pgTable(
  'competitor_offers',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    listingId: bigint('listing_id', { mode: 'number' })
      .notNull()
      .references(() => listings.id, { onDelete: 'cascade' }),
    /** As the source wrote it; null when it has no name. */
    sellerName: text('seller_name'),
    /** Trimmed and case-folded; null is an unknown seller, never us. */
    sellerKey: text('seller_key'),
    /** The keyed hash of another seller's name on eBay, whose name is not stored: name and key are its label. */
    sellerHash: text('seller_hash'),
    isMarketplace: boolean('is_marketplace').notNull().default(false),
    price: money('price').notNull(),
    shipping: money('shipping').notNull().default(sql`0`),
    fulfillmentType: text('fulfillment_type', { enum: FULFILLMENT_TYPES }),
    isFeatured: boolean('is_featured').notNull().default(false),
    /** The source marks the offer as ours. */
    isOurs: boolean('is_ours').notNull().default(false),
    /** Null: the source has no time, and then the offer does not count. */
    seenAt: instant('seen_at'),
    rating: share('rating'),
    ratingCount: integer('rating_count'),
    handlingDays: integer('handling_days'),
  },
  (t) => [
    index('competitor_offers_listing_id_idx').on(t.listingId),
    index('competitor_offers_seller_hash_idx').on(t.sellerHash).where(sql`${t.sellerHash} is not null`),
    isPrice(t.price),
    isAmount(t.shipping),
    isOneOf(t.fulfillmentType, FULFILLMENT_TYPES),
    isFilled(t.sellerKey, 500),
    isFilled(t.sellerHash, 32),
    isShare(t.rating, '0', '100'),
    isCount(t.ratingCount),
    isCount(t.handlingDays),
  ],
);

/** Where a reading of competitors came from. */
export const READING_SOURCES = ['sync', 'event', 'file'] as const;

/** The last reading of a listing's competitors on its own marketplace, also when it showed none. No row: never read. */
export const competitionReadings = pgTable(
  'competition_readings',
  {
    listingId: bigint('listing_id', { mode: 'number' })
      .primaryKey()
      .references(() => listings.id, { onDelete: 'cascade' }),
    /** Null for these three: never read. */
    readAt: instant('read_at'),
    /** What the reading shows. */
    coverage: text('coverage', { enum: READ_COVERAGES }),
    source: text('source', { enum: READING_SOURCES }),
    /** The marketplace reported that offers could hold the buy box and none does. */
    boxSuppressed: boolean('box_suppressed').notNull().default(false),
    /** The last time since then that the marketplace was asked without a usable result, and why; null: none. */
    unreadAt: instant('unread_at'),
    unreadReason: text('unread_reason'),
  },
  (t) => [
    isOneOf(t.coverage, READ_COVERAGES),
    isOneOf(t.source, READING_SOURCES),
    isFilled(t.unreadReason, 500),
    holds(
      'reading_whole',
      sql`(${t.readAt} is null) = (${t.coverage} is null) and (${t.readAt} is null) = (${t.source} is null)`,
    ),
    holds('unread_whole', sql`(${t.unreadAt} is null) = (${t.unreadReason} is null)`),
  ],
);

/** What a marketplace says it takes to become the featured offer of a listing, as last read. */
export const featuredPrices = pgTable(
  'featured_prices',
  {
    listingId: bigint('listing_id', { mode: 'number' })
      .primaryKey()
      .references(() => listings.id, { onDelete: 'cascade' }),
    /** The item price at or below which it is featured; null where the status says that there is none. */
    price: money('price'),
    /** As the marketplace names it. */
    status: text('status').notNull(),
    readAt: instant('read_at').notNull(),
  },
  (t) => [isPrice(t.price), isFilled(t.status, 100)],
);

/** One offer of a recorded set; money in whole cents, `at` in milliseconds since 1970. */
export interface RecordedOffer {
  readonly seller: string | null;
  readonly price: number;
  readonly shipping: number;
  readonly at: number | null;
  readonly by?: 'FBA/WFS' | 'FBM';
  readonly marketplace?: true;
  readonly featured?: true;
  readonly ours?: true;
  readonly rating?: number;
}

/**
 * Sets of offers as they were reported, with the time from which they were valid, for backtests and learning. An
 * unchanged set has no row of its own. Rows are only inserted, and deleted after 30 days.
 */
export const offerSets = pgTable(
  'offer_sets',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    listingId: bigint('listing_id', { mode: 'number' })
      .notNull()
      .references(() => listings.id, { onDelete: 'cascade' }),
    recordedAt: instant('recorded_at').notNull(),
    offers: jsonb('offers').$type<readonly RecordedOffer[]>().notNull(),
  },
  (t) => [index('offer_sets_listing_id_idx').on(t.listingId, t.recordedAt)],
);

/**
 * Aggregates over a listing's offers, computed from them or stored as received; one row per change. After 30 days they
 * are thinned out to {@link competitorPricePeriods}.
 */
export const competitorPrices = pgTable(
  'competitor_prices',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    listingId: bigint('listing_id', { mode: 'number' })
      .notNull()
      .references(() => listings.id, { onDelete: 'cascade' }),
    marketplace: text('marketplace', { enum: MARKETPLACES }).notNull(),
    amazonDirectPrice: money('amazon_direct_price'),
    walmartDirectPrice: money('walmart_direct_price'),
    thirdPartyMinPrice: money('third_party_min_price'),
    thirdPartyMaxPrice: money('third_party_max_price'),
    thirdPartyAvgPrice: money('third_party_avg_price'),
    thirdPartySellerCount: integer('third_party_seller_count').notNull().default(0),
    buyBoxPrice: money('buy_box_price'),
    buyBoxSeller: text('buy_box_seller'),
    timestamp: instant('timestamp').notNull().default(sql`now()`),
    /** When the same offers were last reported again; null: not since `timestamp`. */
    lastSeenAt: instant('last_seen_at'),
  },
  (t) => [
    index('competitor_prices_listing_id_idx').on(t.listingId, t.marketplace, t.timestamp.desc()),
    isOneOf(t.marketplace, MARKETPLACES),
    isPrice(t.amazonDirectPrice),
    isPrice(t.walmartDirectPrice),
    isPrice(t.thirdPartyMinPrice),
    isPrice(t.thirdPartyMaxPrice),
    isPrice(t.thirdPartyAvgPrice),
    isCount(t.thirdPartySellerCount),
    isPrice(t.buyBoxPrice),
  ],
);

export const PERIOD_GRAINS = ['hour', 'day'] as const;

/** Competitor prices of a listing in an hour, or a day, of UTC; periods without a change have no row. */
export const competitorPricePeriods = pgTable(
  'competitor_price_periods',
  {
    listingId: bigint('listing_id', { mode: 'number' })
      .notNull()
      .references(() => listings.id, { onDelete: 'cascade' }),
    marketplace: text('marketplace', { enum: MARKETPLACES }).notNull(),
    grain: text('grain', { enum: PERIOD_GRAINS }).notNull(),
    /** Time of the first record that started in it. */
    timestamp: instant('timestamp').notNull(),
    lastSeenAt: instant('last_seen_at').notNull(),
    /** Lowest prices are the lowest of the period, the highest one the highest. */
    amazonDirectPrice: money('amazon_direct_price'),
    walmartDirectPrice: money('walmart_direct_price'),
    thirdPartyMinPrice: money('third_party_min_price'),
    thirdPartyMaxPrice: money('third_party_max_price'),
    /** Weighted by how long each price was valid within the period. */
    thirdPartyAvgPrice: money('third_party_avg_price'),
    /** The largest number at one time. */
    thirdPartySellerCount: integer('third_party_seller_count').notNull(),
    /** At the end of the period. */
    buyBoxPrice: money('buy_box_price'),
    buyBoxSeller: text('buy_box_seller'),
  },
  (t) => [
    primaryKey({
      name: 'competitor_price_periods_pk',
      columns: [t.listingId, t.marketplace, t.grain, t.timestamp],
    }),
    isOneOf(t.marketplace, MARKETPLACES),
    isOneOf(t.grain, PERIOD_GRAINS),
    isPrice(t.amazonDirectPrice),
    isPrice(t.walmartDirectPrice),
    isPrice(t.thirdPartyMinPrice),
    isPrice(t.thirdPartyMaxPrice),
    isPrice(t.thirdPartyAvgPrice),
    isCount(t.thirdPartySellerCount),
    isPrice(t.buyBoxPrice),
  ],
);

/** Our own sellers. Without one, no price based on competitors is applied on that marketplace. */
export const ownSellers = pgTable(
  'own_sellers',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    marketplace: text('marketplace', { enum: MARKETPLACES }).notNull(),
    name: text('name').notNull(),
    /** Trimmed and case-folded; two spellings of one seller are one row. */
    sellerKey: text('seller_key').notNull(),
  },
  (t) => [
    unique('own_sellers_key').on(t.marketplace, t.sellerKey),
    isOneOf(t.marketplace, MARKETPLACES),
    isFilled(t.name, 500),
    // A blank seller would make every offer without a name ours.
    isFilled(t.sellerKey, 500),
  ],
);
