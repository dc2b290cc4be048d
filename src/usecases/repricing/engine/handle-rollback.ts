import type { Db } from '#db/client.ts';
import { insertAudit } from '#db/queries/identity/audit.ts';
import { deleteAllSessions } from '#db/queries/identity/sessions.ts';
import { cancelQueued } from '#db/queries/marketplaces/price-intents.ts';
import { lockEngineSwitches } from '#db/queries/repricing/engine.ts';
import type { RollbackKind } from '#domain/data-rollback.ts';
import type { Instant } from '#domain/units.ts';
import { actedBy } from '#usecases/editor.ts';
import { ENGINE } from './engine-deps.ts';
import { resetMode } from './set-recommend-only.ts';

/**
 * Everything observes, and no price that was queued is sent. After a restore everybody has to sign in again, too: a
 * session that was ended since the backup would be back.
 * @param knownUntil the last heartbeat: what the database knows is from before it
 * @returns whether this is anything to tell: a rest of a shop that observed anyway changes nothing
 */
export async function handleRollback(
  tx: Db,
  setback: RollbackKind,
  knownUntil: Instant,
  now: Instant,
): Promise<boolean> {
  const { live } = await lockEngineSwitches(tx);
  const since = new Date(knownUntil).toISOString();
  const reason = {
    restore: `The database was restored from a backup or copied. Its data is from ${since}.`,
    rest: `Pricewright did not run for more than a day. Its data is from ${since}.`,
  }[setback];
  await resetMode(tx, [...live], ENGINE, reason, now);
  await cancelQueued(tx, reason, now);
  if (setback === 'rest') return live.size > 0;
  const sessions = await deleteAllSessions(tx);
  await insertAudit(tx, {
    ...actedBy(ENGINE, now),
    action: 'engine.restored',
    targetKind: null,
    targetId: null,
    after: { lastAtWork: since, disarmed: [...live], sessionsEnded: sessions },
  });
  return true;
}
