import type { Db } from '#db/client.ts';
import { forgetBackups } from '#db/queries/background/backups.ts';
import { deleteAllApiTokens } from '#db/queries/identity/api-tokens.ts';
import { insertAudit } from '#db/queries/identity/audit.ts';
import { deleteAllSessions } from '#db/queries/identity/sessions.ts';
import { deleteUnfinished } from '#db/queries/marketplaces/connections/account-findings.ts';
import { endOpenMigrations } from '#db/queries/marketplaces/sending/listing-migrations.ts';
import { cancelQueued } from '#db/queries/marketplaces/sending/queued-prices.ts';
import { lockEngineSwitches, setUnconfirmedRestore } from '#db/queries/repricing/engine.ts';
import { switchOffAllReceivers } from '#db/queries/webhook-receivers/receivers.ts';
import type { RollbackKind } from '#domain/data-rollback.ts';
import type { Instant } from '#domain/units.ts';
import { actedBy } from '#usecases/editor.ts';
import { ENGINE } from './engine-deps.ts';
import { resetMode } from './set-recommend-only.ts';

/**
 * Switches all marketplaces to recommend only and cancels queued prices. After a restore all users have to log in again,
 * since a session ended after the backup would be valid again; API tokens end for the same reason. What a connector had started
 * is not finished: it is of the day of the backup. A copy must not
 * disturb the original: receivers of webhooks are switched off, and until an administrator confirms the restore no backups are
 * scheduled, which would go to the original's place and delete its old ones, and no events of marketplaces are received.
 * @param knownUntil the last heartbeat; the data is from before it
 * @returns whether to report it: a downtime without a live marketplace changes nothing
 */
export async function handleRollback(
  tx: Db,
  kind: RollbackKind,
  knownUntil: Instant,
  now: Instant,
): Promise<boolean> {
  const { live } = await lockEngineSwitches(tx);
  const since = new Date(knownUntil).toISOString();
  const reason = {
    restored_backup: `The database was restored from a backup or copied. Its data is from ${since}.`,
    downtime: `Pricewright did not run for more than a day. Its data is from ${since}.`,
  }[kind];
  await resetMode(tx, [...live], ENGINE, reason, now);
  await cancelQueued(tx, reason, now);
  if (kind === 'downtime') return live.size > 0;
  const sessions = await deleteAllSessions(tx);
  const tokens = await deleteAllApiTokens(tx);
  const receivers = await switchOffAllReceivers(tx);
  await setUnconfirmedRestore(tx, now);
  await forgetBackups(tx);
  await endOpenMigrations(tx, reason, now);
  await deleteUnfinished(tx);
  await insertAudit(tx, {
    ...actedBy(ENGINE, now),
    action: 'engine.restored',
    targetKind: null,
    targetId: null,
    after: {
      lastAtWork: since,
      setToRecommendOnly: [...live],
      sessionsEnded: sessions,
      apiTokensEnded: tokens,
      webhookReceiversOff: receivers,
    },
  });
  return true;
}
