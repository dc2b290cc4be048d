import { sql } from 'drizzle-orm';
import { index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { holds, isCount, isFilled, isOneOf } from '#db/checks.ts';
import { instant } from '#db/columns.ts';
import { CONSENTED } from '#domain/connections/credentials.ts';
import { PRICE_CHANNELS } from '#domain/connections/price-channel.ts';
import { MARKETPLACES } from '#domain/marketplaces.ts';
import { sessions } from './accounts.ts';

export const CREDENTIAL_HOLDERS = [...MARKETPLACES, 'veeqo'] as const;

/** What a connector needs besides its settings (refresh tokens, regions); ciphertext. */
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
