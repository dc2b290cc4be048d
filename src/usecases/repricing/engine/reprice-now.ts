import type { Db } from '#db/client.ts';
import { notify } from '#db/listen.ts';
import { insertAudit } from '#db/queries/identity/audit.ts';
import { findOpenFullRun, insertRun, lockFullRuns, type RunRow } from '#db/queries/repricing/runs.ts';
import { transact } from '#db/transact.ts';
import type { Instant } from '#domain/units.ts';
import { type Actor, actedBy } from '#usecases/editor.ts';
import type { EngineDeps } from './engine-deps.ts';

/** Asks for a run over every listing. One that waits or is under way is answered instead of a second. */
export async function repriceNow({ db, now }: Pick<EngineDeps, 'db' | 'now'>, actor: Actor): Promise<RunRow> {
  return transact(db, async (tx) => {
    await lockFullRuns(tx);
    const open = await findOpenFullRun(tx);
    if (open !== null) return open;
    const at = now();
    const run = await insertPersonRun(tx, actor, at);
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

/** Puts a run over everything behind the one under way, unless one waits already. */
export async function queueFullRun(tx: Db, actor: Actor, at: Instant): Promise<void> {
  await lockFullRuns(tx);
  const open = await findOpenFullRun(tx);
  if (open?.state !== 'queued') await insertPersonRun(tx, actor, at);
}

function insertPersonRun(tx: Db, actor: Actor, at: Instant): Promise<RunRow> {
  return insertRun(tx, {
    trigger: 'manual',
    state: 'queued',
    startedBy: actor.name,
    startedAt: at,
    planned: null,
  });
}
