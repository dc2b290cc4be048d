import { sql } from 'drizzle-orm';
import { boolean, date, index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { holds, isAmount, isCount, isFilled, isOneOf, isShare } from '#db/checks.ts';
import { instant, money, share } from '#db/columns.ts';
import { CONSENTED } from '#domain/connections/credentials.ts';
import { MODE_RESET_REASONS } from '#domain/connections/mode-reset.ts';
import { PRICE_CHANNELS } from '#domain/connections/price-channel.ts';
import { MARKETPLACES } from '#domain/marketplaces.ts';
import { EXTERNAL_EDIT_POLICIES } from '#domain/readings/repair-or-hold.ts';
import { BUSINESS_PRICE_POLICIES } from '#domain/sending/business-plan.ts';
import { sessions } from './accounts.ts';

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

export const CREDENTIAL_HOLDERS = [...MARKETPLACES, 'veeqo'] as const;

/** What a connector needs besides the fields above (refresh tokens, regions); ciphertext. */
export const connectorCredentials = pgTable(
  'connector_credentials',
  {
    holder: text('holder', { enum: CREDENTIAL_HOLDERS }).notNull(),
    name: text('name').notNull(),
    value: text('value').notNull(),
    updatedAt: instant('updated_at').notNull().default(sql`now()`),
  },
  (t) => [
    primaryKey({ columns: [t.holder, t.name] }),
    isOneOf(t.holder, CREDENTIAL_HOLDERS),
    isFilled(t.name, 100),
  ],
);

/**
 * How each marketplace is connected; six rows, written by the migration. Triggers derive `price_channel` from the
 * settings; the other columns belong to the tokens below.
 */
export const integrations = pgTable(
  'integrations',
  {
    marketplace: text('marketplace', { enum: MARKETPLACES }).primaryKey(),
    priceChannel: text('price_channel', { enum: PRICE_CHANNELS }).notNull().default('file'),
    /** Rises with every change of its credentials: results obtained with older ones are outdated. */
    revision: integer('revision').notNull().default(0),
    /** Rises when the stored tokens become invalid, because the credentials they were issued for changed. */
    epoch: integer('epoch').notNull().default(0),
    /** Fencing token: rises with every lease. */
    fence: integer('fence').notNull().default(0),
    /** Rises when sending is turned on or the account changes: prices confirmed before are unconfirmed again. */
    generation: integer('generation').notNull().default(0),
    /** The process that renews tokens now, and until when. */
    leaseOwner: text('lease_owner'),
    leaseUntil: instant('lease_until'),
    /** When a full sync was last requested: older results are synced again. */
    syncRequestedAt: instant('sync_requested_at'),
  },
  (t) => [
    isOneOf(t.marketplace, MARKETPLACES),
    isOneOf(t.priceChannel, PRICE_CHANNELS),
    holds('lease_whole', sql`(${t.leaseOwner} is null) = (${t.leaseUntil} is null)`),
  ],
);

/** What trying out found about an account, for all processes. */
export const accountFindings = pgTable(
  'account_findings',
  {
    marketplace: text('marketplace', { enum: MARKETPLACES })
      .notNull()
      .references(() => integrations.marketplace),
    name: text('name').notNull(),
    value: jsonb('value').$type<unknown>().notNull(),
    /** The integration's generation in which it was found: another account is tried out again. */
    generation: integer('generation').notNull(),
    foundAt: instant('found_at').notNull(),
    /** Null: as long as the account stays the same. */
    expiresAt: instant('expires_at'),
  },
  (t) => [primaryKey({ columns: [t.marketplace, t.name] }), isFilled(t.name, 100), isCount(t.generation)],
);

/** Access tokens, and refresh tokens that are replaced with every use. */
export const integrationTokens = pgTable(
  'integration_tokens',
  {
    marketplace: text('marketplace', { enum: MARKETPLACES })
      .notNull()
      .references(() => integrations.marketplace),
    kind: text('kind').notNull(),
    valueEncrypted: text('value_encrypted').notNull(),
    /** Fencing token of the lease in which it was issued: a token of a later lease is newer, whenever it arrived. */
    fence: integer('fence').notNull().default(0),
    obtainedAt: instant('obtained_at').notNull(),
    expiresAt: instant('expires_at'),
    updatedAt: instant('updated_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.marketplace, t.kind] }), isFilled(t.kind, 50)],
);

/**
 * A user was sent to a marketplace to give consent and has not returned yet. Only the SHA-256 of the state parameter is
 * stored. The row is deleted with the session.
 */
export const consents = pgTable(
  'consents',
  {
    stateHash: text('state_hash').primaryKey(),
    marketplace: text('marketplace', { enum: CONSENTED }).notNull(),
    sessionId: text('session_id')
      .notNull()
      .references(() => sessions.id, { onDelete: 'cascade' }),
    /** PKCE verifier for the code exchange, so that no other client can use the code. */
    verifierEncrypted: text('verifier_encrypted').notNull(),
    /** The redirect address that was sent to the marketplace. */
    returnTo: text('return_to').notNull(),
    expiresAt: instant('expires_at').notNull(),
  },
  (t) => [
    isOneOf(t.marketplace, CONSENTED),
    isFilled(t.returnTo, 500),
    index('consents_session_id_idx').on(t.sessionId),
    index('consents_expires_at_idx').on(t.expiresAt),
  ],
);

/** Result of the last test of each connection, with its current credentials. */
export const connectionChecks = pgTable(
  'connection_checks',
  {
    marketplace: text('marketplace', { enum: MARKETPLACES })
      .primaryKey()
      .references(() => integrations.marketplace),
    checkedAt: instant('checked_at').notNull(),
    milliseconds: integer('milliseconds').notNull(),
    /** One sentence; null after a success. */
    error: text('error'),
    shopName: text('shop_name'),
    notes: text('notes').array().notNull(),
    /** When the credentials expire. */
    endsAt: instant('ends_at'),
  },
  (t) => [isCount(t.milliseconds)],
);

export const MARKETPLACE_MODES = ['live', 'recommend_only'] as const;

/** What repricing may do per marketplace; six rows, written by the migration, all in recommend only. */
export const marketplaceModes = pgTable(
  'marketplace_modes',
  {
    marketplace: text('marketplace', { enum: MARKETPLACES }).primaryKey(),
    mode: text('mode', { enum: MARKETPLACE_MODES }).notNull().default('recommend_only'),
    changedAt: instant('changed_at').notNull().default(sql`now()`),
    changedBy: text('changed_by'),
    /** Why a save of the settings reset it to recommend only; null if none did, or a user changed the mode since. */
    resetReason: text('reset_reason', { enum: MODE_RESET_REASONS }),
    /** What happens to an external edit below the lowest allowed price. */
    externalEdits: text('external_edits', { enum: EXTERNAL_EDIT_POLICIES }).notNull().default('repair_loss'),
    /** What happens to prices for business buyers when the regular price changes. */
    businessPrices: text('business_prices', { enum: BUSINESS_PRICE_POLICIES }).notNull().default('leave'),
    /** Null: that of the repricing limits, or the reachable one if that is longer. */
    maxOfferAgeMinutes: integer('max_offer_age_minutes'),
    /** The offer age in which the marketplace's budget reads all its listings; null before the first reading. */
    reachableOfferAgeMinutes: integer('reachable_offer_age_minutes'),
  },
  (t) => [
    isOneOf(t.marketplace, MARKETPLACES),
    isOneOf(t.mode, MARKETPLACE_MODES),
    isOneOf(t.resetReason, MODE_RESET_REASONS),
    isOneOf(t.externalEdits, EXTERNAL_EDIT_POLICIES),
    isOneOf(t.businessPrices, BUSINESS_PRICE_POLICIES),
    holds('max_offer_age_minutes_range', sql`${t.maxOfferAgeMinutes} between 60 and 4320`),
    holds('reachable_offer_age_minutes_range', sql`${t.reachableOfferAgeMinutes} between 0 and 4320`),
    holds('live_has_no_reset_reason', sql`${t.mode} = 'recommend_only' or ${t.resetReason} is null`),
  ],
);

export const REVIEW_SCOPES = ['store', 'rule'] as const;

/**
 * The switch over everything, separate from the settings: halting must never wait for, or conflict with, a save of
 * them. One row, written by the migration.
 */
export const repricingState = pgTable(
  'repricing_state',
  {
    id: text('id').primaryKey().default('default'),
    halted: boolean('halted').notNull().default(false),
    changedAt: instant('changed_at').notNull().default(sql`now()`),
    changedBy: text('changed_by'),
    /** Reason given by a user or the circuit breaker. */
    reason: text('reason'),
    /**
     * Token of the plan last reviewed by an administrator, to go live, to resume or with a rule: the circuit breaker accepts
     * one run of it, within an hour.
     */
    reviewedPlan: text('reviewed_plan'),
    reviewedAt: instant('reviewed_at'),
    reviewedBy: text('reviewed_by'),
    /** Of the whole store, or the changes of one rule alone. */
    reviewedScope: text('reviewed_scope', { enum: REVIEW_SCOPES }),
    /** Version and schema of the program that decided last; another one starts in recommend only. */
    release: text('release'),
    /** The day where the shop is for which `day_stocks` was taken last. */
    stocksOf: date('stocks_of', { mode: 'string' }),
    /**
     * When a restored or copied database was noticed, until an administrator confirms that it replaces the original: in
     * between no backups are scheduled and no events of marketplaces are received. Null: nothing to confirm.
     */
    unconfirmedRestoreAt: instant('unconfirmed_restore_at'),
  },
  (t) => [holds('one_row', sql`${t.id} = 'default'`), isOneOf(t.reviewedScope, REVIEW_SCOPES)],
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
