import type { Db } from '#db/client.ts';
import { databaseErrorCode } from '#db/error-code.ts';
import { clearFalls } from '#db/queries/import-falls.ts';
import {
  clearFindings,
  holdTurn,
  type ImportRow,
  insertChunk,
  insertLines,
  saveFindings,
} from '#db/queries/imports.ts';
import { readSwitches } from '#db/queries/shop.ts';
import type { StoredFindings } from '#db/schema/imports.ts';
import { transactOnce } from '#db/transact.ts';
import type { Instant } from '#domain/units.ts';
import { AppError } from '#usecases/app-error.ts';
import { type Fall, NONE_LOWERED, noteFloors, takeFalls } from '#usecases/costs/lowered-floors.ts';
import type { Actor } from '#usecases/editor.ts';
import { JobInterrupted, type JobRun } from '#usecases/jobs/job-handler.ts';
import { addBatch, NOTHING_FOUND, rejectedHeader } from './findings.ts';
import { refuseUnshownRows, type ShownImport } from './import-proof.ts';
import type { Entry, KindSpec, PassContext, Verdict } from './kind-spec.ts';
import { readBatches } from './read-batches.ts';
import { ShownFalls, showFalls } from './shown-falls.ts';

/** One reading of a stored file, to check it or to bring it in. */
export interface Pass {
  readonly db: Db;
  readonly file: ImportRow;
  readonly context: PassContext;
  /** Whose import it is. */
  readonly actor: Actor;
  readonly now: () => Instant;
  readonly mode: 'check' | 'import';
  /** For an import: what was shown and proved before it began. */
  readonly shown: ShownImport;
  /** Rows in the file; null while nobody knows. */
  readonly total: number | null;
  readonly progress: JobRun['progress'];
}

/** What a file is in while a pass is at it. */
export const stateOf = (mode: Pass['mode']): ImportRow['state'] =>
  mode === 'check' ? 'checking' : 'importing';

/** Another writer was faster: the batch is planned again from what is there now. */
const OVERTAKEN = new Set(['40001', '40P01', '23505', '23P01', '55P03']);
const MOST_TRIES = 5;

/**
 * Reads a file from its first row to its last and decides on every row, batch by batch; importing writes each batch
 * together with what was found in it, so that an import that is cut off goes on exactly behind its last batch.
 * @throws FileFault where nothing after can be trusted
 */
export async function runPass<Name extends string, Row>(
  spec: KindSpec<Name, Row>,
  pass: Pass,
): Promise<StoredFindings> {
  const { file, mode } = pass;
  if (mode === 'import' && file.allOrNothing) return runWhole(spec, pass);
  // A check writes nothing and starts over; an import goes on where it was.
  let findings = mode === 'import' && file.findings !== null ? file.findings : NOTHING_FOUND;
  await transactOnce(pass.db, async (tx) => {
    await keepTurn(pass, tx);
    if (findings.cursor === 0) await clearFindings(tx, file.id);
    if (mode === 'check') await clearFalls(tx, file.id);
  });
  let read = 0;
  const isTriedOut = mode === 'check' && (await readSwitches(pass.db)).armed.size > 0;
  await readBatches(pass.db, file, spec, pass.context, async (entries) => {
    read += entries.length;
    if (read <= findings.cursor) return;
    // A batch is cut the same way every time, so a cursor never stands inside one.
    const batch = await withRetries(() =>
      transactOnce(pass.db, async (tx) => {
        const done = await runBatch(spec, pass, tx, findings, entries);
        if (mode === 'import') await holdToShown(pass, tx, findings.counts.rows);
        return done;
      }),
    );
    findings = batch.findings;
    if (isTriedOut && batch.touchesFloors) findings = await withLowered(spec, pass, findings, entries);
    await tellProgress(pass, findings);
  });
  return findings;
}

/** All of it in one transaction, or nothing: a rejected row undoes what came before it. */
async function runWhole<Name extends string, Row>(
  spec: KindSpec<Name, Row>,
  pass: Pass,
): Promise<StoredFindings> {
  return withRetries(() =>
    transactOnce(pass.db, async (tx) => {
      await keepTurn(pass, tx);
      await clearFindings(tx, pass.file.id);
      let findings = NOTHING_FOUND;
      await readBatches(tx, pass.file, spec, pass.context, async (entries) => {
        ({ findings } = await runBatch(spec, pass, tx, findings, entries));
        if (findings.counts.rejected > 0) {
          throw new AppError(
            'conflict',
            'Nothing was imported: a row is rejected now that was fine before. Check the file again.',
          );
        }
        await tellProgress(pass, findings);
      });
      await holdToShown(pass, tx, 0);
      return findings;
    }),
  );
}

/**
 * Asked by every transaction of a pass before it writes: what other columns, or another check, have overtaken adds
 * nothing to what was found with them.
 * @throws JobInterrupted where another has taken its place
 */
export async function keepTurn({ file, mode }: Pick<Pass, 'file' | 'mode'>, tx: Db): Promise<void> {
  if (!(await holdTurn(tx, file, stateOf(mode)))) throw new JobInterrupted('cancelled');
}

/**
 * Writes down the drops of a transaction of the import.
 * @param kept rows that stay imported without it
 * @throws AppError conflict for drops that its check has not shown
 */
async function holdToShown({ file, actor, now }: Pass, tx: Db, kept: number): Promise<void> {
  const shown = new ShownFalls(tx, file.id);
  await noteFloors(tx, actor, now(), shown.judge);
  shown.refuse(kept);
}

async function runBatch<Name extends string, Row>(
  spec: KindSpec<Name, Row>,
  pass: Pass,
  tx: Db,
  before: StoredFindings,
  entries: readonly Entry<Row>[],
): Promise<{ readonly findings: StoredFindings; readonly touchesFloors: boolean }> {
  const { file, context, mode, shown } = pass;
  const usable = entries.filter(({ row }) => row !== null);
  const isImport = mode === 'import';
  const plan = await spec.plan(tx, usable, context, isImport);
  await keepTurn(pass, tx);
  if (isImport) await plan.write(tx);
  const { findings, lines, rejected } = addBatch(before, file.header, entries, plan);
  if (isImport) refuseUnshownRows(file, findings, shown, file.allOrNothing ? 0 : before.counts.rows);
  await insertLines(tx, file.id, lines);
  if (rejected !== '') {
    const header = before.rejectedParts === 0 ? rejectedHeader(file.header) : '';
    await insertChunk(tx, file.id, 'rejected', before.rejectedParts, Buffer.from(header + rejected));
  }
  await saveFindings(tx, file.id, findings);
  const touches = (verdict: Verdict): boolean =>
    verdict.kind === 'update' || verdict.kind === 'create' ? (spec.touchesFloors?.(verdict) ?? true) : false;
  return { findings, touchesFloors: plan.verdicts.some(touches) };
}

/** Adds what a batch would do to lowest allowed prices. */
async function withLowered<Name extends string, Row>(
  spec: KindSpec<Name, Row>,
  pass: Pass,
  findings: StoredFindings,
  entries: readonly Entry<Row>[],
): Promise<StoredFindings> {
  const usable = entries.filter(({ row }) => row !== null);
  const falls = await withRetries(() => rehearse(spec, pass, usable));
  if (falls.length === 0) return findings;
  return withRetries(() =>
    transactOnce(pass.db, async (tx) => {
      await keepTurn(pass, tx);
      const lowered = await showFalls(tx, pass.file.id, findings.lowered ?? NONE_LOWERED, falls);
      const all = lowered.count === 0 ? findings : { ...findings, lowered };
      await saveFindings(tx, pass.file.id, all);
      return all;
    }),
  );
}

/** Writes a batch, looks at the lowest allowed prices, and takes all of it back: no second calculation can differ. */
async function rehearse<Name extends string, Row>(
  spec: KindSpec<Name, Row>,
  { db, context, now }: Pass,
  usable: readonly Entry<Row>[],
): Promise<Fall[]> {
  const all: Fall[] = [];
  try {
    await transactOnce(db, async (tx) => {
      const plan = await spec.plan(tx, usable, context, true);
      await plan.write(tx);
      await takeFalls(tx, now(), async (falls) => {
        for (const fall of falls) all.push(fall);
      });
      throw new Rehearsed();
    });
  } catch (error) {
    if (!(error instanceof Rehearsed)) throw error;
  }
  return all;
}

/** Ends a transaction that nothing is to stay of. */
class Rehearsed extends Error {}

function tellProgress({ progress, total }: Pass, { counts }: StoredFindings): Promise<void> {
  return progress({ done: counts.rows - counts.rejected, failed: counts.rejected, total });
}

async function withRetries<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt === MOST_TRIES || !OVERTAKEN.has(databaseErrorCode(error) ?? '')) throw error;
    }
  }
}
