import { and, lt, or, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { loginAttempts, oneTimeTokens, sessions } from '#db/schema/accounts.ts';
import { listingMetrics } from '#db/schema/metrics.ts';
import { runItems } from '#db/schema/runs.ts';
import { hours, type Instant, instant } from '#domain/units.ts';

/** How many rows of each kind were deleted. */
export interface Purged {
  readonly sessions: number;
  readonly tokens: number;
  readonly attempts: number;
  readonly runItems: number;
}

const ATTEMPTS_KEPT = hours(48);
const RUN_ITEMS_KEPT = hours(90 * 24);

/**
 * Deletes sessions and tokens that ended, counters that nobody waits for, and decisions older than 90 days. A decision
 * that is still a listing's last stays, however old: a repeated one writes no new item, and somebody may ask why.
 */
export async function deleteExpired(db: Db, now: Instant): Promise<Purged> {
  const ended = await db.delete(sessions).where(lt(sessions.expiresAt, now));
  const tokens = await db.delete(oneTimeTokens).where(lt(oneTimeTokens.expiresAt, now));
  const before = instant(now - ATTEMPTS_KEPT);
  const attempts = await db
    .delete(loginAttempts)
    .where(
      sql`${lt(loginAttempts.windowStartedAt, before)} and ${or(sql`${loginAttempts.blockedUntil} is null`, lt(loginAttempts.blockedUntil, now))}`,
    );
  const isLast = sql`exists (select from ${listingMetrics} where ${listingMetrics.listingId} = ${runItems.listingId}
    and ${listingMetrics.runId} = ${runItems.runId})`;
  const items = await db
    .delete(runItems)
    .where(and(lt(runItems.at, instant(now - RUN_ITEMS_KEPT)), sql`not ${isLast}`));
  return {
    sessions: ended.rowCount ?? 0,
    tokens: tokens.rowCount ?? 0,
    attempts: attempts.rowCount ?? 0,
    runItems: items.rowCount ?? 0,
  };
}
