import { and, eq, lt, or, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { deleteApiTokensExpiredBefore } from '#db/queries/identity/api-tokens.ts';
import { deleteExpiredSessions, type SessionMoment } from '#db/queries/identity/sessions.ts';
import { knownBrowsers, loginAttempts, oneTimeTokens, providerLogins, users } from '#db/schema/accounts.ts';
import { consents } from '#db/schema/connections.ts';
import { hours, type Instant, instant } from '#domain/units.ts';

/** How many of each kind were deleted. */
export interface Purged {
  readonly sessions: number;
  readonly tokens: number;
  /** Authorizations that were started and never completed. */
  readonly consents: number;
  /** Logins with the identity provider that were started and never completed. */
  readonly providerLogins: number;
  readonly attempts: number;
  /** Browsers without a login for a long time. */
  readonly browsers: number;
  /** Secrets of a second factor that were not confirmed in time. */
  readonly setUps: number;
  /** API tokens that expired a month ago or earlier; until then lists show them. */
  readonly apiTokens: number;
}

const ATTEMPTS_KEPT = hours(48);
/** A browser without a login for this long is unknown again. */
export const BROWSERS_KEPT = hours(24 * 180);
// Long after the time in which one can be confirmed.
const SET_UPS_KEPT = hours(1);
const API_TOKENS_KEPT = hours(24 * 30);

/**
 * Deletes sessions and tokens that ended, counters that are no longer needed, and second factors that were never
 * confirmed.
 * @param sessionsAt the clock that sessions use
 */
export async function deleteExpired(db: Db, now: Instant, sessionsAt: SessionMoment): Promise<Purged> {
  const tokens = await db.delete(oneTimeTokens).where(lt(oneTimeTokens.expiresAt, now));
  const given = await db.delete(consents).where(lt(consents.expiresAt, now));
  const logins = await db.delete(providerLogins).where(lt(providerLogins.expiresAt, now));
  const before = instant(now - ATTEMPTS_KEPT);
  const attempts = await db
    .delete(loginAttempts)
    .where(
      sql`${lt(loginAttempts.windowStartedAt, before)} and ${or(sql`${loginAttempts.blockedUntil} is null`, lt(loginAttempts.blockedUntil, now))}`,
    );
  const browsers = await db
    .delete(knownBrowsers)
    .where(lt(knownBrowsers.usedAt, instant(now - BROWSERS_KEPT)));
  const setUps = await db
    .update(users)
    .set({ twoFactorSecret: null, twoFactorStartedAt: null })
    .where(and(eq(users.twoFactorEnabled, false), lt(users.twoFactorStartedAt, instant(now - SET_UPS_KEPT))));
  return {
    sessions: await deleteExpiredSessions(db, sessionsAt),
    tokens: tokens.rowCount ?? 0,
    consents: given.rowCount ?? 0,
    providerLogins: logins.rowCount ?? 0,
    attempts: attempts.rowCount ?? 0,
    browsers: browsers.rowCount ?? 0,
    setUps: setUps.rowCount ?? 0,
    apiTokens: await deleteApiTokensExpiredBefore(db, instant(now - API_TOKENS_KEPT)),
  };
}
