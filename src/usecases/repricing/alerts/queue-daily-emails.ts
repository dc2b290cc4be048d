import { listUsers } from '#db/queries/identity/users.ts';
import { readSettings } from '#db/queries/repricing/pricing-context.ts';
import { transact } from '#db/transact.ts';
import { queueStoreEmail } from '#usecases/email/queued-email.ts';
import type { WatchDeps } from './update-alerts.ts';

/** Queues the daily email to every administrator, if notifications are on. */
export async function queueDailyEmails(deps: WatchDeps): Promise<void> {
  const { db, now } = deps;
  const at = now();
  const { notifications } = await readSettings(db);
  if (!notifications) return;
  await transact(db, async (tx) => {
    for (const { id, role, approved } of await listUsers(tx)) {
      if (role === 'admin' && approved) await queueStoreEmail(tx, deps, { mail: 'digest', at }, id);
    }
  });
}
