import type { Db } from '#db/client.ts';
import { deleteExpired, type Purged } from '#db/queries/background/expired.ts';
import type { SessionMoment } from '#db/queries/identity/sessions.ts';
import { transact } from '#db/transact.ts';
import type { Instant } from '#domain/units.ts';

/**
 * Clears away what has run out: sessions, one-time tokens, sign-in counters. Safe to repeat.
 * @param sessionsAt the clock that sessions go by
 */
export function purgeExpired(db: Db, now: Instant, sessionsAt: SessionMoment = now): Promise<Purged> {
  return transact(db, (tx) => deleteExpired(tx, now, sessionsAt));
}
