import type { Db } from '#db/client.ts';
import { deleteExpired, type Purged } from '#db/queries/background/expired.ts';
import type { SessionMoment } from '#db/queries/identity/sessions.ts';
import { transact } from '#db/transact.ts';
import type { Instant } from '#domain/units.ts';

/**
 * Deletes what has expired: sessions, one-time tokens, attempt counters. Safe to repeat.
 * @param sessionsAt the clock of sessions
 */
export function purgeExpired(db: Db, now: Instant, sessionsAt: SessionMoment = now): Promise<Purged> {
  return transact(db, (tx) => deleteExpired(tx, now, sessionsAt));
}
