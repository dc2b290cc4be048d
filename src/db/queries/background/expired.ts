import { and, eq, lt, or, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { deleteExpiredSessions, type SessionMoment } from '#db/queries/identity/sessions.ts';
import { knownBrowsers, loginAttempts, oneTimeTokens, users } from '#db/schema/accounts.ts';
import { consents } from '#db/schema/settings.ts';
import { hours, type Instant, instant } from '#domain/units.ts';

/** How many of each kind were deleted. */
export interface Purged {
  readonly sessions: number;
  readonly tokens: number;
  /** Ways to a marketplace from which nobody came back. */
  readonly consents: number;
  readonly attempts: number;
  /** Browsers that nobody signed in with for long. */
  readonly browsers: number;
  /** Secrets of a second factor that nobody confirmed in time. */
  readonly setUps: number;
}

const ATTEMPTS_KEPT = hours(48);
/** Whoever signed in before that is a stranger again. */
export const BROWSERS_KEPT = hours(24 * 180);
// Long after one can be confirmed.
const SET_UPS_KEPT = hours(1);

/**
 * Deletes sessions and tokens that ended, counters that nobody waits for, and second factors that stayed half set up.
 * @param sessionsAt the clock that sessions go by
 */
export async function deleteExpired(db: Db, now: Instant, sessionsAt: SessionMoment): Promise<Purged> {
  const tokens = await db.delete(oneTimeTokens).where(lt(oneTimeTokens.expiresAt, now));
  const given = await db.delete(consents).where(lt(consents.expiresAt, now));
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
    attempts: attempts.rowCount ?? 0,
    browsers: browsers.rowCount ?? 0,
    setUps: setUps.rowCount ?? 0,
  };
}
