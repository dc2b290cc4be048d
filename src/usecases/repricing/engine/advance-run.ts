import { isConnectionFailure, isSerializationFailure } from '#db/error-code.ts';
import { notify } from '#db/listen.ts';
import { readEngineSwitches, type Switches } from '#db/queries/repricing/engine.ts';
import { type RunRow, savePlan } from '#db/queries/repricing/runs.ts';
import { type Instant, minutes } from '#domain/units.ts';
import { loadPricingContext } from '#usecases/repricing/pricing/pricing-context.ts';
import type { EngineDeps } from './engine-deps.ts';
import { type BatchEnd, haltMessage, isHaltedSince, recordBatch } from './record-batch.ts';
import { checkCircuitBreaker, hourStart, listingsOf, makePlan, type PlanScope } from './run-plan.ts';
import { type ActiveRun, stopRun, tripBreaker } from './stop-run.ts';
import { storedPlanOf } from './stored-plan.ts';

/** How often a batch is decided anew in one go when others are faster. */
const ATTEMPTS = 5;
/** Listings set aside in one go before the fault is taken for one of everything. */
const MOST_CULPRITS = 5;
const ASIDE = minutes(10);

/**
 * The next piece of a run: its plan, when it needs one, or a batch.
 * @throws what went wrong. An outage leaves the run as it is, to be gone on with; after anything else it is failed
 *   and says why.
 */
export async function advanceRun(deps: EngineDeps, run: RunRow | ActiveRun): Promise<'worked' | 'idle'> {
  try {
    if (run.id !== null && 'plan' in run && run.plan === null) {
      const switches = await readEngineSwitches(deps.db);
      if (await needsPlan(deps, run, switches)) return await planRun(deps, run, switches);
    }
    return await nextBatch(deps, run);
  } catch (error) {
    if (isConnectionFailure(error)) throw error;
    const reason = `Internal error: ${innermostWords(error)}`;
    await stopRun(deps.db, run, 'failed', reason, deps.now());
    throw error;
  }
}

/** What the database itself said, not the statement around it. */
function innermostWords(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : innermostWords(error.cause);
}

/** A run that may change prices and takes more than one batch is planned before anything is recorded. */
async function needsPlan({ db, batchSize }: EngineDeps, run: RunRow, switches: Switches): Promise<boolean> {
  if (switches.halted || switches.live.size === 0) return false;
  const ahead = await listingsOf(run.trigger)(db, run.sweptTo ?? 0, batchSize + 1);
  return ahead.length > batchSize;
}

async function planRun(deps: EngineDeps, run: RunRow, switches: Switches): Promise<'worked'> {
  const { db, now, isStopping, planned } = deps;
  const at = now();
  const since = hourStart(switches, at);
  // A halt is heeded within a page, and so is the end of the process: the next one plans again.
  const goOn = async () => !isStopping() && !isHaltedSince(await readEngineSwitches(db), run.startedAt);
  const shop = await loadPricingContext(db, at);
  const read = listingsOf(run.trigger);
  const { dropDepth } = shop.facts.breaker;
  planned.begin(run.id, shop.facts);
  const keep: PlanScope['keep'] = (after, page, decided) => planned.add(after, page, decided, dropDepth);
  const plan = await makePlan({ ...deps, shop, read, after: run.sweptTo ?? 0, since, keep }, goOn);
  if (plan === null) {
    const after = await readEngineSwitches(db);
    if (isHaltedSince(after, run.startedAt)) await stopRun(db, run, 'stopped', haltMessage(after), now());
    return 'worked';
  }
  const isReviewed = run.sweptTo === null && plan.token() === switches.reviewedPlan;
  const reason = isReviewed ? null : await checkCircuitBreaker(db, plan, since, run.id, at);
  if (reason === null) await savePlan(db, run.id, storedPlanOf(plan.tally, isReviewed));
  else await tripBreaker(db, run, reason, now());
  await notify(db, 'pricewright_engine', []);
  return 'worked';
}

/** The next batch, with the listings set aside that a fault of ours keeps from being recorded. */
async function nextBatch(deps: EngineDeps, run: ActiveRun): Promise<'worked' | 'idle'> {
  const leaveOut = new Set(stillAside(deps));
  let batchSize = deps.batchSize;
  for (let culprits = 0; ; ) {
    try {
      return await tryBatch({ ...deps, batchSize }, run, leaveOut);
    } catch (error) {
      // Many culprits are no fault of theirs.
      if (isConnectionFailure(error) || culprits === MOST_CULPRITS) throw error;
      if (batchSize > 1) {
        batchSize = Math.max(1, Math.floor(batchSize / 4));
        continue;
      }
      // A batch of one: it is the first that is not left out.
      const culprit = await firstAhead(deps, run, leaveOut);
      if (culprit === null) throw error;
      setAside(deps, culprit, error);
      leaveOut.add(culprit);
      culprits++;
      batchSize = deps.batchSize;
    }
  }
}

/** A clock that was set back ends the rest. */
function stillAside({ aside, now }: EngineDeps): Iterable<number> {
  const at = now();
  for (const [id, until] of aside) if (until <= at || until > at + ASIDE) aside.delete(id);
  return aside.keys();
}

function setAside({ aside, now, onFault }: EngineDeps, id: number, error: unknown): void {
  aside.set(id, (now() + ASIDE) as Instant);
  onFault(new Error(`Listing ${id} could not be saved. It is skipped for 10 minutes.`, { cause: error }));
}

async function firstAhead(
  { db }: EngineDeps,
  run: ActiveRun,
  leaveOut: ReadonlySet<number>,
): Promise<number | null> {
  const after = 'sweptTo' in run && typeof run.sweptTo === 'number' ? run.sweptTo : 0;
  const ahead = await listingsOf(run.trigger)(db, after, leaveOut.size + 1);
  return ahead.find(({ id }) => !leaveOut.has(id))?.id ?? null;
}

async function tryBatch(deps: EngineDeps, run: ActiveRun, leaveOut: Set<number>): Promise<'worked' | 'idle'> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const end = await attemptBatch(deps, run, leaveOut);
    if (end.kind === 'moved') {
      for (const id of end.outdated) leaveOut.add(id);
      continue;
    }
    if (end.kind === 'halted') await stopRun(deps.db, run, 'stopped', end.reason, deps.now());
    if (end.kind === 'tripped') await tripBreaker(deps.db, run, end.reason, deps.now());
    return end.kind === 'untouched' ? 'idle' : 'worked';
  }
  // Somebody holds what the batch needs: it is tried again a moment later.
  return 'idle';
}

async function attemptBatch(
  deps: EngineDeps,
  run: ActiveRun,
  leaveOut: ReadonlySet<number>,
): Promise<BatchEnd> {
  try {
    return await recordBatch(deps, run, leaveOut);
  } catch (error) {
    if (isSerializationFailure(error)) return { kind: 'moved', outdated: [] };
    throw error;
  }
}
