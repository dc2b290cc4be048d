import type { Db } from '#db/client.ts';
import { notify } from '#db/listen.ts';
import { insertAudit } from '#db/queries/identity/audit.ts';
import { lockEngineSwitches, setHalted } from '#db/queries/repricing/engine.ts';
import { endRun, insertRun, type RunRow } from '#db/queries/repricing/runs.ts';
import { transact } from '#db/transact.ts';
import type { Instant } from '#domain/units.ts';
import { BREAKER } from './engine-deps.ts';

/** A run in progress; `id` is null for a run of a single batch, which has no row until it is done. */
export type ActiveRun = Pick<RunRow, 'trigger' | 'planned' | 'startedAt'> & { readonly id: number | null };

/** Ends a run early; what it has recorded stays, and the other listings stay due. */
export async function stopRun(
  db: Db,
  run: ActiveRun,
  state: 'stopped' | 'failed',
  reason: string,
  now: Instant,
): Promise<void> {
  await transact(db, (tx) => stopInside(tx, run, state, reason, now));
}

/** The circuit breaker: ends the run and halts everything until an administrator resumes. */
export async function tripBreaker(db: Db, run: ActiveRun, reason: string, now: Instant): Promise<void> {
  await transact(db, async (tx) => {
    const { halted } = await lockEngineSwitches(tx);
    const id = await stopInside(tx, run, 'stopped', reason, now);
    // A user's own reason is not overwritten.
    if (halted) return;
    await setHalted(tx, true, BREAKER.name, reason, now);
    await insertAudit(tx, {
      at: now,
      actor: BREAKER.name,
      action: 'engine.halted',
      targetKind: 'run',
      targetId: String(id),
      after: { reason },
    });
  });
}

async function stopInside(
  tx: Db,
  run: ActiveRun,
  state: 'stopped' | 'failed',
  reason: string,
  now: Instant,
): Promise<number> {
  const { trigger, planned, startedAt } = run;
  const id = run.id ?? (await insertRun(tx, { trigger, planned, startedAt, state: 'running' })).id;
  await endRun(tx, id, state, reason, now);
  await notify(tx, 'pricewright_engine', []);
  return id;
}
