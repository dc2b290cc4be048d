import type { Db } from '#db/client.ts';
import { notify } from '#db/listen.ts';
import { insertAudit } from '#db/queries/identity/audit.ts';
import { findOpenFullRun, insertRun, lockFullRuns, type RunRow } from '#db/queries/repricing/runs.ts';
import { transact } from '#db/transact.ts';
import type { Instant } from '#domain/units.ts';
import { type Actor, actedBy } from '#usecases/editor.ts';
import type { EngineDeps } from './engine-deps.ts';

/** Queues a run over every listing. Returns a queued or active one instead of adding a second. */
export async function repriceNow({ db, now }: Pick<EngineDeps, 'db' | 'now'>, actor: Actor): Promise<RunRow> {
  return transact(db, async (tx) => {
    await lockFullRuns(tx);
    const open = await findOpenFullRun(tx);
    if (open !== null) return open;
    const at = now();
    const run = await insertManualRun(tx, actor, at);
    await insertAudit(tx, {
      ...actedBy(actor, at),
      action: 'run.requested',
      targetKind: 'run',
      targetId: String(run.id),
    });
    await notify(tx, 'pricewright_engine', []);
    return run;
  });
}

/** Queues a run over every listing after the current one, unless one is queued already. */
export async function queueFullRun(tx: Db, actor: Actor, at: Instant): Promise<void> {
  await lockFullRuns(tx);
  const open = await findOpenFullRun(tx);
  if (open?.state !== 'queued') await insertManualRun(tx, actor, at);
}

function insertManualRun(tx: Db, actor: Actor, at: Instant): Promise<RunRow> {
  return insertRun(tx, {
    trigger: 'manual',
    state: 'queued',
    startedBy: actor.name,
    startedAt: at,
    planned: null,
  });
}
