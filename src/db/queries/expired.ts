import { lt, or, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { loginAttempts, oneTimeTokens, sessions } from '#db/schema/accounts.ts';
import { hours, type Instant, instant } from '#domain/units.ts';

/** How many rows of each kind were deleted. */
export interface Purged {
  readonly sessions: number;
  readonly tokens: number;
  readonly attempts: number;
}

const ATTEMPTS_KEPT = hours(48);

/** Deletes sessions and tokens that ended, and counters that nobody waits for. */
export async function deleteExpired(db: Db, now: Instant): Promise<Purged> {
  const ended = await db.delete(sessions).where(lt(sessions.expiresAt, now));
  const tokens = await db.delete(oneTimeTokens).where(lt(oneTimeTokens.expiresAt, now));
  const before = instant(now - ATTEMPTS_KEPT);
  const attempts = await db
    .delete(loginAttempts)
    .where(
      sql`${lt(loginAttempts.windowStartedAt, before)} and ${or(sql`${loginAttempts.blockedUntil} is null`, lt(loginAttempts.blockedUntil, now))}`,
    );
  return {
    sessions: ended.rowCount ?? 0,
    tokens: tokens.rowCount ?? 0,
    attempts: attempts.rowCount ?? 0,
  };
}
