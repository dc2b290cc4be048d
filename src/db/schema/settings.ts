import { sql } from 'drizzle-orm';
import { boolean, date, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { holds, isAmount, isCount, isFilled, isOneOf, isShare } from '#db/checks.ts';
import { instant, money, share } from '#db/columns.ts';

/** The one row, id 'default', written by the migration. API keys and secrets hold ciphertext, never plain text. */
export const appSettings = pgTable(
  'app_settings',
  {
    id: text('id').primaryKey().default('default'),
    autoRepricing: boolean('auto_repricing').notNull().default(true),
    /** Prices may change that are based on a fulfillment fee estimated from size and weight. */
    areFeeEstimatesAccepted: boolean('fee_estimates_accepted').notNull().default(false),
    /** Minutes. */
    checkInterval: integer('check_interval').notNull().default(15),
    notifications: boolean('notifications').notNull().default(true),
    /** Where the shop is, such as "America/New_York"; null is UTC. */
    timeZone: text('time_zone'),
    veeqoEnabled: boolean('veeqo_enabled').notNull().default(false),
    veeqoApiKey: text('veeqo_api_key'),
    veeqoLastSync: instant('veeqo_last_sync'),
    /** When the proxy last failed to pass on the client's address; null if it never failed. Written once an hour. */
    clientsHiddenAt: instant('clients_hidden_at'),
    walmartEnabled: boolean('walmart_enabled').notNull().default(true),
    walmartClientId: text('walmart_client_id'),
    walmartClientSecret: text('walmart_client_secret'),
    amazonEnabled: boolean('amazon_enabled').notNull().default(false),
    amazonSellerId: text('amazon_seller_id'),
    amazonLwaClientId: text('amazon_lwa_client_id'),
    amazonLwaClientSecret: text('amazon_lwa_client_secret'),
    michaelsEnabled: boolean('michaels_enabled').notNull().default(false),
    michaelsApiKey: text('michaels_api_key'),
    ebayEnabled: boolean('ebay_enabled').notNull().default(false),
    ebayAppId: text('ebay_app_id'),
    ebayCertId: text('ebay_cert_id'),
    etsyEnabled: boolean('etsy_enabled').notNull().default(false),
    etsyKeystring: text('etsy_keystring'),
    etsyShopName: text('etsy_shop_name'),
    /** Percent; null is 0. */
    etsyGreatestDiscount: text('etsy_greatest_discount'),
    shopifyEnabled: boolean('shopify_enabled').notNull().default(false),
    shopifyStoreUrl: text('shopify_store_url'),
    shopifyApiKey: text('shopify_api_key'),
    maxOfferAgeMinutes: integer('max_offer_age_minutes').notNull().default(1440),
    maxStep: share('max_step').notNull().default(sql`15`),
    maxDailyChange: share('max_daily_change').notNull().default(sql`30`),
    minStep: money('min_step').notNull().default(sql`0.01`),
    cooldownMinutes: integer('cooldown_minutes').notNull().default(0),
    priceWarThreshold: integer('price_war_threshold').notNull().default(6),
    priceWarPauseMinutes: integer('price_war_pause_minutes').notNull().default(360),
    /** How long repricing leaves a listing alone after a user priced it. */
    holdMinutes: integer('hold_minutes').notNull().default(1440),
    /** The circuit breaker: largest share of listings that may drop in one run, and from what depth one counts. */
    breakerDropShare: share('breaker_drop_share').notNull().default(sql`20`),
    breakerDropDepth: share('breaker_drop_depth').notNull().default(sql`10`),
    /** Largest share that may go to their margin floor, be blocked or get one price, unless that is usual. */
    breakerSameOutcomeShare: share('breaker_same_outcome_share').notNull().default(sql`20`),
    /** The sums of this day and of all before it never change; null: nothing is closed. */
    booksClosedUntil: date('books_closed_until', { mode: 'string' }),
    version: integer('version').notNull().default(1),
    updatedAt: instant('updated_at').notNull().default(sql`now()`),
  },
  (t) => [
    holds('one_row', sql`${t.id} = 'default'`),
    holds(
      'etsy_greatest_discount_is_percent',
      sql`${t.etsyGreatestDiscount} ~ '^([0-9]|[1-8][0-9])(\\.[0-9]{1,2})?$'`,
    ),
    isCount(t.checkInterval, 1),
    isFilled(t.timeZone, 100),
    isCount(t.maxOfferAgeMinutes, 1),
    isShare(t.maxStep, '0', '100'),
    isShare(t.maxDailyChange, '0', '100'),
    isAmount(t.minStep),
    isCount(t.cooldownMinutes),
    isCount(t.priceWarThreshold, 1),
    isCount(t.priceWarPauseMinutes),
    isCount(t.holdMinutes),
    isShare(t.breakerDropShare, '1', '50'),
    isShare(t.breakerDropDepth, '1', '25'),
    isShare(t.breakerSameOutcomeShare, '1', '50'),
  ],
);

export const SETUP_FLAGS = ['fees_checked', 'plan_reviewed', 'setup_dismissed', 'demo'] as const;

/** Facts about this installation that are set once. */
export const setupFlags = pgTable(
  'setup_flags',
  {
    name: text('name', { enum: SETUP_FLAGS }).primaryKey(),
    reachedAt: instant('reached_at').notNull(),
    reachedBy: text('reached_by'),
  },
  (t) => [isOneOf(t.name, SETUP_FLAGS)],
);
