import { notify } from '#db/listen.ts';
import { countDue, countLive } from '#db/queries/repricing/due.ts';
import { readSchedule } from '#db/queries/repricing/engine.ts';
import { findOpenRun, insertRun, lastFullRunAt, startRun } from '#db/queries/repricing/runs.ts';
import type { Instant } from '#domain/units.ts';
import { advanceRun } from './advance-run.ts';
import type { EngineDeps } from './engine-deps.ts';

const MINUTE = 60_000;

/**
 * Does one step of the engine's work, a batch or a plan. Order: a run in progress, a queued run, due listings, the full
 * check. Call it again immediately after "worked". One caller at a time per database, see src/db/engine-lock.ts.
 */
export async function engineStep(deps: EngineDeps): Promise<'worked' | 'idle'> {
  const { db, now, batchSize } = deps;
  const open = await findOpenRun(db);
  if (open?.state === 'running') return advanceRun(deps, open);
  if (open !== null) {
    await startRun(db, open.id, await countLive(db), now());
    await notify(db, 'pricewright_engine', []);
    return 'worked';
  }
  // A never-ending stream of changes must not delay the full check forever.
  if (await isFullCheckDue(deps, 2)) return startFullCheck(deps);
  const due = await countDue(db, batchSize + 1);
  if (due > batchSize) {
    const planned = await countDue(db, Number.MAX_SAFE_INTEGER);
    await insertRun(db, { trigger: 'data_change', state: 'running', startedAt: now(), planned });
    await notify(db, 'pricewright_engine', []);
    return 'worked';
  }
  if (due > 0) {
    return advanceRun(deps, { id: null, trigger: 'data_change', planned: due, startedAt: now() });
  }
  return (await isFullCheckDue(deps, 1)) ? startFullCheck(deps) : 'idle';
}

async function isFullCheckDue({ db, now }: EngineDeps, intervals: number): Promise<boolean> {
  const last = await lastFullRunAt(db, now());
  // Before the first full check, listings are due anyway.
  if (last === null) return intervals === 1 && (await countLive(db)) > 0;
  const { checkInterval } = await readSchedule(db);
  return now() >= ((last + checkInterval * intervals * MINUTE) as Instant);
}

async function startFullCheck({ db, now }: EngineDeps): Promise<'worked'> {
  await insertRun(db, {
    trigger: 'full_check',
    state: 'running',
    startedAt: now(),
    planned: await countLive(db),
  });
  await notify(db, 'pricewright_engine', []);
  return 'worked';
}
