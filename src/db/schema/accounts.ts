import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  check,
  date,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import { isCount, isFilled, isOneOf } from '#db/checks.ts';
import { instant } from '#db/columns.ts';
import type { ApiScope } from '#domain/api-scopes.ts';

export const USER_ROLES = ['user', 'admin'] as const;

/**
 * Ids are generated uuid text, as specified: they travel in links and must not be guessable.
 * Passwords are Argon2id hashes, `emailVerificationToken` is the SHA-256 of the token, `twoFactorSecret` is encrypted.
 */
export const users = pgTable(
  'users',
  {
    id: text('id').primaryKey().default(sql`gen_random_uuid()::text`),
    username: text('username').notNull(),
    /** Null for users who log in with the identity provider alone. */
    password: text('password'),
    fullName: text('full_name').notNull(),
    email: text('email').notNull(),
    phoneNumber: text('phone_number').notNull(),
    emailVerified: boolean('email_verified').notNull().default(false),
    /** Kept after use, so that an email scanner that opens the link first does no harm. */
    emailVerificationToken: text('email_verification_token').unique(),
    emailVerificationExpiresAt: instant('email_verification_expires_at'),
    role: text('role', { enum: USER_ROLES }).notNull().default('user'),
    approved: boolean('approved').notNull().default(false),
    /** An administrator withdrew the role here: groups of the identity provider do not give it again. */
    wasDemoted: boolean('was_demoted').notNull().default(false),
    twoFactorSecret: text('two_factor_secret'),
    /** False until the first code confirms the secret: the login does not require one yet. */
    twoFactorEnabled: boolean('two_factor_enabled').notNull().default(false),
    twoFactorStartedAt: instant('two_factor_started_at'),
    twoFactorSince: instant('two_factor_since'),
    /** The last accepted 30-second step: a code works once, and older steps are no longer accepted. */
    twoFactorLastStep: bigint('two_factor_last_step', { mode: 'number' }),
    /** After a reset by an administrator the next login has to choose a new password. */
    mustChangePassword: boolean('must_change_password').notNull().default(false),
    /** Whether the user gets an email about each week. */
    weeklySummary: boolean('weekly_summary').notNull().default(false),
    /** The Monday up to which it was queued; from then on for a user who has just turned it on. */
    weeklySummaryUntil: date('weekly_summary_until', { mode: 'string' }),
    createdAt: instant('created_at').notNull().default(sql`now()`),
    updatedAt: instant('updated_at').notNull().default(sql`now()`),
  },
  (t) => [
    uniqueIndex('users_username_key').on(sql`lower(${t.username})`),
    uniqueIndex('users_email_key').on(sql`lower(${t.email})`),
    isFilled(t.username, 254),
    isFilled(t.email, 254),
    isOneOf(t.role, USER_ROLES),
  ],
);

/** A browser that is logged in. Only the SHA-256 of its token is stored. Sessions are deleted with their user. */
export const sessions = pgTable(
  'sessions',
  {
    /** Identifies the session in lists; the token's hash never leaves the database. */
    id: text('id').primaryKey().default(sql`gen_random_uuid()::text`),
    tokenHash: text('token_hash').notNull().unique(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    createdAt: instant('created_at').notNull(),
    /** Extends the idle timeout. */
    lastSeenAt: instant('last_seen_at').notNull(),
    /** The absolute timeout. */
    expiresAt: instant('expires_at').notNull(),
    /** When the password or a code was last entered: decides whether a step-up is needed. */
    stepUpAt: instant('step_up_at').notNull(),
    address: text('address'),
    userAgent: text('user_agent'),
    /** Logged in with the identity provider. */
    byProvider: boolean('by_provider').notNull().default(false),
    /** That login counts as one with a second factor. */
    hasSecondFactor: boolean('has_second_factor').notNull().default(false),
  },
  (t) => [index('sessions_user_id_idx').on(t.userId), index('sessions_expires_at_idx').on(t.expiresAt)],
);

/** A program that calls the API for a user. Only the SHA-256 of its token is stored. Deleted with the user. */
export const apiTokens = pgTable(
  'api_tokens',
  {
    /** Identifies the token in lists; its hash never leaves the database. */
    id: text('id').primaryKey().default(sql`gen_random_uuid()::text`),
    tokenHash: text('token_hash').notNull().unique(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    scopes: text('scopes').array().$type<ApiScope[]>().notNull(),
    callsPerMinute: integer('calls_per_minute').notNull(),
    createdAt: instant('created_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
    /** The hour of the last call, and the network that it came from. */
    lastUsedAt: instant('last_used_at'),
    lastNetwork: text('last_network'),
    /** The minute in which calls are counted, and how many there were. */
    minuteStartedAt: instant('minute_started_at'),
    minuteCalls: integer('minute_calls').notNull().default(0),
  },
  (t) => [
    uniqueIndex('api_tokens_user_id_name_key').on(t.userId, sql`lower(${t.name})`),
    isFilled(t.name, 60),
    check(
      'api_token_scopes',
      sql`${t.scopes} <@ ARRAY['read', 'prices', 'catalog', 'engine'] and cardinality(${t.scopes}) between 1 and 4`,
    ),
    check('calls_per_minute_range', sql`${t.callsPerMinute} between 1 and 600`),
    isCount(t.minuteCalls),
    check(
      'api_token_life',
      sql`${t.expiresAt} > ${t.createdAt} and ${t.expiresAt} <= ${t.createdAt} + interval '366 days'`,
    ),
  ],
);

/** A browser that an account has logged in with: its wrong passwords are counted separately. It grants no access. */
export const knownBrowsers = pgTable(
  'known_browsers',
  {
    tokenHash: text('token_hash').primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    createdAt: instant('created_at').notNull(),
    /** The last login. */
    usedAt: instant('used_at').notNull(),
  },
  (t) => [index('known_browsers_user_id_idx').on(t.userId), index('known_browsers_used_at_idx').on(t.usedAt)],
);

export const TOKEN_PURPOSES = ['setup', 'reset'] as const;

/** Links that work once: the first admin's setup link, a password reset. Only the SHA-256 of the token is stored. */
export const oneTimeTokens = pgTable(
  'one_time_tokens',
  {
    tokenHash: text('token_hash').primaryKey(),
    purpose: text('purpose', { enum: TOKEN_PURPOSES }).notNull(),
    /** Null for a setup link, which creates its user. */
    userId: text('user_id').references(() => users.id, { onDelete: 'cascade' }),
    createdAt: instant('created_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
    /** Set by a conditional update: of two concurrent requests exactly one succeeds. */
    usedAt: instant('used_at'),
  },
  (t) => [isOneOf(t.purpose, TOKEN_PURPOSES), index('one_time_tokens_expires_at_idx').on(t.expiresAt)],
);

/** What counts as a second factor of a login with the provider: every login, or those that report one. */
export const PROVIDER_FACTORS = ['provider', 'reported'] as const;
/** Who may log in with a password too. */
export const DIRECT_LOGINS = ['all', 'administrators'] as const;

/** The identity provider (OpenID Connect); no row before it is set up. The client secret is encrypted. */
export const identityProvider = pgTable(
  'identity_provider',
  {
    id: text('id', { enum: ['default'] })
      .primaryKey()
      .default('default'),
    isOn: boolean('is_on').notNull(),
    issuer: text('issuer').notNull(),
    clientId: text('client_id').notNull(),
    /** Null for a public client. */
    clientSecret: text('client_secret'),
    /** Its name on the button. */
    label: text('label').notNull(),
    scopes: text('scopes').array().notNull(),
    groupsClaim: text('groups_claim').notNull(),
    adminGroups: text('admin_groups').array().notNull(),
    userGroups: text('user_groups').array().notNull(),
    linksAccounts: boolean('links_accounts').notNull(),
    createsAccounts: boolean('creates_accounts').notNull(),
    secondFactor: text('second_factor', { enum: PROVIDER_FACTORS }).notNull(),
    /** Values of the claim "acr" that report a second factor. */
    factorAcrs: text('factor_acrs').array().notNull(),
    directLogin: text('direct_login', { enum: DIRECT_LOGINS }).notNull(),
    version: integer('version').notNull().default(1),
    updatedAt: instant('updated_at').notNull(),
  },
  (t) => [
    isOneOf(t.id, ['default']),
    isFilled(t.issuer, 500),
    isFilled(t.clientId, 200),
    isFilled(t.label, 40),
    isFilled(t.groupsClaim, 200),
    isOneOf(t.secondFactor, PROVIDER_FACTORS),
    isOneOf(t.directLogin, DIRECT_LOGINS),
    isCount(t.version, 1),
  ],
);

/** Who logged in with an identity provider: issuer and subject, never the email address. */
export const loginIdentities = pgTable(
  'login_identities',
  {
    issuer: text('issuer').notNull(),
    subject: text('subject').notNull(),
    /** Null after the account was removed: otherwise the next login would create it again. */
    userId: text('user_id').references(() => users.id, { onDelete: 'set null' }),
    linkedAt: instant('linked_at').notNull(),
    lastLoginAt: instant('last_login_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.issuer, t.subject] }),
    uniqueIndex('login_identities_user_id_issuer_key').on(t.userId, t.issuer),
    isFilled(t.issuer, 500),
    isFilled(t.subject, 255),
  ],
);

/**
 * A browser was sent to the identity provider and has not returned yet. Only the SHA-256 of its token is stored; state,
 * nonce and PKCE verifier are derived from the token, which its cookie alone has.
 */
export const providerLogins = pgTable(
  'provider_logins',
  {
    tokenHash: text('token_hash').primaryKey(),
    /** The session that a fresh login is for; null for a login. */
    sessionId: text('session_id').references(() => sessions.id, { onDelete: 'cascade' }),
    /** Of the settings at the start. */
    providerVersion: integer('provider_version').notNull(),
    redirectUri: text('redirect_uri').notNull(),
    /** The path of the page to show afterwards. */
    returnTo: text('return_to').notNull(),
    startedAt: instant('started_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
  },
  (t) => [
    isCount(t.providerVersion, 1),
    isFilled(t.redirectUri, 500),
    isFilled(t.returnTo, 2000),
    index('provider_logins_session_id_idx').on(t.sessionId),
    index('provider_logins_expires_at_idx').on(t.expiresAt),
  ],
);

/** Ten codes that replace a lost authenticator; of each an Argon2id hash, and its first group to find it by. */
export const recoveryCodes = pgTable(
  'recovery_codes',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    handle: text('handle').notNull(),
    codeHash: text('code_hash').notNull(),
    /** Set by a conditional update: of two concurrent logins exactly one succeeds. */
    usedAt: instant('used_at'),
  },
  (t) => [uniqueIndex('recovery_codes_user_id_handle_key').on(t.userId, t.handle)],
);

/**
 * Failures counted before the secret is checked, per account, per address and per kind of attempt.
 * In the database, so that they survive a restart and are shared by all processes.
 */
export const loginAttempts = pgTable(
  'login_attempts',
  {
    /** Kind of attempt: "login", "two_factor", "step_up", ... */
    kind: text('kind').notNull(),
    /**
     * Whose attempts are counted: "account:<SHA-256 of the lower-cased name>", the same followed by " from <network>"
     * or " in <hash of a known browser>", or "address:<ip or network>".
     */
    subject: text('subject').notNull(),
    count: integer('count').notNull().default(0),
    windowStartedAt: instant('window_started_at').notNull(),
    blockedUntil: instant('blocked_until'),
  },
  (t) => [
    primaryKey({ columns: [t.kind, t.subject] }),
    isCount(t.count),
    index('login_attempts_window_started_at_idx').on(t.windowStartedAt),
  ],
);
