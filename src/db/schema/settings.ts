import { sql } from 'drizzle-orm';
import { boolean, index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { holds, isAmount, isCount, isFilled, isOneOf, isShare } from '#db/checks.ts';
import { instant, money, share } from '#db/columns.ts';
import { CONSENTED } from '#domain/credentials.ts';
import { MARKETPLACES } from '#domain/marketplaces.ts';
import { MODE_RESET_REASONS } from '#domain/mode-reset.ts';
import { PRICE_CHANNELS } from '#domain/price-channel.ts';
import { sessions } from './accounts.ts';

/** The one row, id 'default', written by the migration. Keys and secrets hold ciphertext, never plain text. */
export const appSettings = pgTable(
  'app_settings',
  {
    id: text('id').primaryKey().default('default'),
    autoRepricing: boolean('auto_repricing').notNull().default(true),
    /** Minutes. */
    checkInterval: integer('check_interval').notNull().default(15),
    notifications: boolean('notifications').notNull().default(true),
    veeqoEnabled: boolean('veeqo_enabled').notNull().default(false),
    veeqoApiKey: text('veeqo_api_key'),
    veeqoLastSync: instant('veeqo_last_sync'),
    /** When the proxy in front last did not say who called; null while it never failed to. Written once an hour. */
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
    /** How long the engine leaves a listing alone after a person priced it. */
    holdMinutes: integer('hold_minutes').notNull().default(1440),
    /** The circuit breaker: most listings that may drop in one run, and from what depth one counts. */
    breakerDropShare: share('breaker_drop_share').notNull().default(sql`20`),
    breakerDropDepth: share('breaker_drop_depth').notNull().default(sql`10`),
    /** Most that may go to their floor, be blocked or get one price, unless that is usual. */
    breakerSameOutcomeShare: share('breaker_same_outcome_share').notNull().default(sql`20`),
    version: integer('version').notNull().default(1),
    updatedAt: instant('updated_at').notNull().default(sql`now()`),
  },
  (t) => [
    holds('one_row', sql`${t.id} = 'default'`),
    isCount(t.checkInterval, 1),
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

/** What a connector needs beyond the fields above (refresh tokens, regions); ciphertext. */
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
 * How each marketplace is reached; six rows, written by the migration. Triggers keep `price_channel` as the settings say, and
 * the rest belongs to the tokens below.
 */
export const integrations = pgTable(
  'integrations',
  {
    marketplace: text('marketplace', { enum: MARKETPLACES }).primaryKey(),
    priceChannel: text('price_channel', { enum: PRICE_CHANNELS }).notNull().default('file'),
    /** Rises with every change of its credentials: what was found out with others is old. */
    revision: integer('revision').notNull().default(0),
    /** Rises when the tokens that are held become worthless, because what they were fetched with changed. */
    epoch: integer('epoch').notNull().default(0),
    /** Rises with every lease. */
    fence: integer('fence').notNull().default(0),
    /** Rises when prices begin to be sent there, or to another account: what was read to cost before is not known any more. */
    generation: integer('generation').notNull().default(0),
    /** Who fetches tokens now, until when. */
    leaseOwner: text('lease_owner'),
    leaseUntil: instant('lease_until'),
    /** When somebody last asked for a whole reading: what was read before that is read again. */
    syncRequestedAt: instant('sync_requested_at'),
  },
  (t) => [
    isOneOf(t.marketplace, MARKETPLACES),
    isOneOf(t.priceChannel, PRICE_CHANNELS),
    holds('lease_whole', sql`(${t.leaseOwner} is null) = (${t.leaseUntil} is null)`),
  ],
);

/** What was fetched with the credentials: access tokens, and refresh tokens that are replaced with every use. */
export const integrationTokens = pgTable(
  'integration_tokens',
  {
    marketplace: text('marketplace', { enum: MARKETPLACES })
      .notNull()
      .references(() => integrations.marketplace),
    kind: text('kind').notNull(),
    valueEncrypted: text('value_encrypted').notNull(),
    /** Of the lease in which it was fetched: one of a later lease is newer, whenever it came. */
    fence: integer('fence').notNull().default(0),
    obtainedAt: instant('obtained_at').notNull(),
    expiresAt: instant('expires_at'),
    updatedAt: instant('updated_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.marketplace, t.kind] }), isFilled(t.kind, 50)],
);

/**
 * Somebody went to a marketplace to give consent, and has not come back. Of the word that the answer has to bring there is
 * only the SHA-256. It ends with the session.
 */
export const consents = pgTable(
  'consents',
  {
    stateHash: text('state_hash').primaryKey(),
    marketplace: text('marketplace', { enum: CONSENTED }).notNull(),
    sessionId: text('session_id')
      .notNull()
      .references(() => sessions.id, { onDelete: 'cascade' }),
    /** What the answer is exchanged with, so that nobody else can use it. */
    verifierEncrypted: text('verifier_encrypted').notNull(),
    /** The address that the marketplace was told to lead back to. */
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

/** What the last test of each connection found, with the credentials of now. */
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
    /** When the credentials themselves end. */
    endsAt: instant('ends_at'),
  },
  (t) => [isCount(t.milliseconds)],
);

export const MARKETPLACE_MODES = ['live', 'recommend_only'] as const;

/** What the engine may do per marketplace; six rows, written by the migration, all in observe. */
export const marketplaceModes = pgTable(
  'marketplace_modes',
  {
    marketplace: text('marketplace', { enum: MARKETPLACES }).primaryKey(),
    mode: text('mode', { enum: MARKETPLACE_MODES }).notNull().default('recommend_only'),
    changedAt: instant('changed_at').notNull().default(sql`now()`),
    changedBy: text('changed_by'),
    /** Why a save of the settings put it back to observing; null when nobody did, or somebody moved it since. */
    resetReason: text('reset_reason', { enum: MODE_RESET_REASONS }),
  },
  (t) => [
    isOneOf(t.marketplace, MARKETPLACES),
    isOneOf(t.mode, MARKETPLACE_MODES),
    isOneOf(t.resetReason, MODE_RESET_REASONS),
    holds('live_has_no_reset_reason', sql`${t.mode} = 'recommend_only' or ${t.resetReason} is null`),
  ],
);

/**
 * The switch over everything, apart from the settings: halting must never wait for, or conflict with, a save of them.
 * One row, written by the migration.
 */
export const repricingState = pgTable(
  'repricing_state',
  {
    id: text('id').primaryKey().default('default'),
    halted: boolean('halted').notNull().default(false),
    changedAt: instant('changed_at').notNull().default(sql`now()`),
    changedBy: text('changed_by'),
    /** What a person or the circuit breaker gave as the reason. */
    reason: text('reason'),
    /** Token of the plan that an administrator looked at last, when arming or resuming: such a run is let pass. */
    reviewedPlan: text('reviewed_plan'),
    reviewedAt: instant('reviewed_at'),
    reviewedBy: text('reviewed_by'),
    /** Version and schema of the program that decided last; another one starts in observe. */
    release: text('release'),
  },
  (t) => [holds('one_row', sql`${t.id} = 'default'`)],
);

export const SETUP_FLAGS = ['fees_checked', 'plan_reviewed', 'setup_dismissed', 'demo'] as const;

/** Facts about the installation itself that are set once. */
export const setupFlags = pgTable(
  'setup_flags',
  {
    name: text('name', { enum: SETUP_FLAGS }).primaryKey(),
    reachedAt: instant('reached_at').notNull(),
    reachedBy: text('reached_by'),
  },
  (t) => [isOneOf(t.name, SETUP_FLAGS)],
);
