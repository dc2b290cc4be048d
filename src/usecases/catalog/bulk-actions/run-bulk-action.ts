import type { Db } from '#db/client.ts';
import { insertRefusals } from '#db/queries/background/job-refusals.ts';
import { setJobRun } from '#db/queries/background/jobs.ts';
import { readSelection } from '#db/queries/catalog/listing-selection.ts';
import { readInProgressOfRun } from '#db/queries/marketplaces/sending/queued-prices.ts';
import { readMovedByRun } from '#db/queries/repricing/price-rows.ts';
import { transact } from '#db/transact.ts';
import type { Cents, Instant } from '#domain/units.ts';
import type { JobHandler, JobOutcome, JobRun } from '#usecases/background/job-handler.ts';
import { auditFloorDrops } from '#usecases/catalog/costs/lowered-floors.ts';
import type { ListingDeps, Refusal } from '#usecases/catalog/listings/listing-deps.ts';
import type { Editor } from '#usecases/editor.ts';
import { parseBulkAction, runBulkAction } from './bulk-action.ts';
import { type ConfirmedFloors, FloorsDropped, rejectDropsBelow } from './confirmed-floors.ts';

const BATCH = 200;
/** Skipped listings that the summary names. */
const SUMMARY_NAMES = 3;

/**
 * Runs an action on many listings, batch by batch, each in a transaction of its own. Every action may be repeated:
 * after a crash it skips the prices that its run has changed, and sets the same fields again.
 */
export function listingJob({ db, now }: ListingDeps): JobHandler {
  return async (run) => {
    const { act, editor, confirmed } = workOf(run);
    const ids = await listingsOf(db, run, now());
    const examples: Refusal[] = [];
    let done = 0;
    let failed = 0;
    let inProgress = 0;
    let { runId } = run;
    // Before the first batch too: the job may have been canceled while it was queued.
    await run.progress({ done, failed, total: ids.length });
    for (let from = 0; from < ids.length; from += BATCH) {
      const batch = ids.slice(from, from + BATCH);
      const before = runId;
      const result = await withoutSunk((sunk) =>
        transact(db, async (tx) => {
          const earlier = run.runId === null ? NOTHING : await doneBefore(tx, run.runId, batch);
          const stays = new Set(sunk.map(({ listingId }) => listingId));
          const left = batch.filter((id) => !earlier.done.has(id) && !stays.has(id));
          const said = await runBulkAction(tx, act, left, before, editor, now());
          await auditFloorDrops(tx, editor, now(), rejectDropsBelow(confirmed));
          const refused = [...said.refused, ...sunk];
          await insertRefusals(tx, run.id, refused);
          if (said.runId !== null && said.runId !== before) await setJobRun(tx, run.id, said.runId);
          return {
            refused,
            runId: said.runId ?? before,
            done: said.done + earlier.done.size,
            inProgress: (said.inProgress ?? 0) + earlier.inProgress,
          };
        }),
      );
      runId = result.runId;
      done += result.done;
      failed += result.refused.length;
      inProgress += result.inProgress;
      examples.push(...result.refused.slice(0, SUMMARY_NAMES - examples.length));
      await run.progress({ done, failed, total: ids.length });
    }
    return outcomeOf(done, inProgress, failed, examples);
  };
}

/** Runs a batch; where floors sank after the confirmation, again without those listings. */
async function withoutSunk<Result>(
  work: (sunk: readonly Refusal[]) => Promise<Result>,
  sunk: readonly Refusal[] = [],
): Promise<Result> {
  try {
    return await work(sunk);
  } catch (error) {
    if (!(error instanceof FloorsDropped)) throw error;
    return withoutSunk(work, [...sunk, ...error.refused]);
  }
}

interface Earlier {
  /** Listings that the run of this job has priced already, sent or confirmed. */
  readonly done: ReadonlySet<number>;
  readonly inProgress: number;
}

const NOTHING: Earlier = { done: new Set(), inProgress: 0 };

async function doneBefore(tx: Db, runId: number, batch: readonly number[]): Promise<Earlier> {
  const moved = await readMovedByRun(tx, runId, batch);
  const open = await readInProgressOfRun(tx, runId, batch);
  return { done: new Set([...moved, ...open].map(({ id }) => id)), inProgress: open.length };
}

function workOf({ work, createdBy }: JobRun): {
  readonly act: ReturnType<typeof parseBulkAction>;
  readonly editor: Editor;
  readonly confirmed: ConfirmedFloors;
} {
  const editor: Editor = {
    id: createdBy.id ?? '',
    name: createdBy.name,
    address: String(work.address),
    requestId: String(work.requestId),
  };
  // Absent in jobs of the previous version.
  const confirmed = new Map((work.floors ?? []) as readonly (readonly [number, Cents | null])[]);
  return { act: parseBulkAction(work.act), editor, confirmed };
}

/**
 * The listings that were selected when the job was started. By id, deleted ones too: the action reports each of them.
 */
async function listingsOf(db: Db, { work }: JobRun, now: Instant): Promise<readonly number[]> {
  const ids = work.ids as readonly number[];
  if (work.isByName === true) return ids;
  return (await readSelection(db, { ids: ids.map(String) }, now)).ids;
}

function outcomeOf(
  done: number,
  inProgress: number,
  failed: number,
  examples: readonly Refusal[],
): JobOutcome {
  const summary = doneText(done, inProgress);
  if (failed === 0) return { state: 'done', summary: `${summary}.` };
  const named = examples.map(({ sku, message }) => `${sku}: ${message}`);
  return {
    state: 'partly_done',
    summary: `${summary}, ${failed.toLocaleString('en-US')} skipped. ${named.join(' ')}`,
  };
}

/** A sent price is not confirmed yet, and may never be; its run shows the result. */
function doneText(done: number, inProgress: number): string {
  const all = `${done.toLocaleString('en-US')} done`;
  if (inProgress === 0) return all;
  const many = inProgress === done ? 'all of them' : `${inProgress.toLocaleString('en-US')} of them`;
  return `${all}, ${many} on the way to their marketplace; the run shows the results`;
}
