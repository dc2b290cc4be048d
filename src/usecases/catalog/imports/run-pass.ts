import type { Db } from '#db/client.ts';
import { clearShown } from '#db/queries/catalog/import-falls.ts';
import { writeJumps } from '#db/queries/catalog/import-jumps.ts';
import { clearFindings, insertChunk, insertLines, saveFindings } from '#db/queries/catalog/imports.ts';
import { readSwitches } from '#db/queries/repricing/pricing-context.ts';
import type { StoredFindings } from '#db/schema/imports.ts';
import { transactOnce } from '#db/transact.ts';
import { AppError } from '#usecases/app-error.ts';
import { auditFloorDrops } from '#usecases/catalog/costs/lowered-floors.ts';
import { addBatch, NOTHING_FOUND, rejectedHeader } from './findings.ts';
import { rejectUnshownRows } from './import-step-up.ts';
import type { Entry, Importer, RowOutcome } from './importer.ts';
import { type Pass, requireCurrentPass, withRetries } from './pass.ts';
import { readBatches } from './read-batches.ts';
import { Rehearsal } from './rehearsal.ts';
import { ShownFalls } from './shown-falls.ts';
import { rejectUnshownJumps } from './shown-jumps.ts';

/**
 * Reads a file from its first row to its last and plans every row, batch by batch; an import writes each batch together
 * with its findings, so that an interrupted import continues exactly after its last batch.
 * @throws FileError where nothing after can be trusted
 */
export async function runPass<Name extends string, Row>(
  spec: Importer<Name, Row>,
  pass: Pass,
): Promise<StoredFindings> {
  const { file, mode } = pass;
  if (mode === 'import' && file.allOrNothing) return runWhole(spec, pass);
  // A check writes nothing and starts over; an import continues where it was.
  let findings = mode === 'import' && file.findings !== null ? file.findings : NOTHING_FOUND;
  await transactOnce(pass.db, async (tx) => {
    await requireCurrentPass(pass, tx);
    if (findings.cursor === 0) await clearFindings(tx, file.id);
    if (mode === 'check') await clearShown(tx, file.id);
  });
  let read = 0;
  const isTriedOut = mode === 'check' && (await readSwitches(pass.db)).live.size > 0;
  const rehearsal = isTriedOut ? new Rehearsal(spec, pass) : null;
  await readBatches(pass.db, file, spec, pass.context, async (entries) => {
    read += entries.length;
    if (read <= findings.cursor) return;
    // Batches are the same every time, so a cursor is never inside one.
    const batch = await withRetries(() =>
      transactOnce(pass.db, async (tx) => {
        const done = await runBatch(spec, pass, tx, findings, entries);
        if (mode === 'import') await holdToShown(pass, tx, findings.counts.rows);
        return done;
      }),
    );
    findings = batch.findings;
    if (batch.touchesFloors) await rehearsal?.add(entries);
    await reportProgress(pass, findings);
  });
  const lowered = await rehearsal?.end(() => reportProgress(pass, findings));
  return lowered === undefined || lowered.count === 0 ? findings : { ...findings, lowered };
}

/** All of it in one transaction, or nothing: a rejected row rolls back the rows before it. */
async function runWhole<Name extends string, Row>(
  spec: Importer<Name, Row>,
  pass: Pass,
): Promise<StoredFindings> {
  return withRetries(() =>
    transactOnce(pass.db, async (tx) => {
      await requireCurrentPass(pass, tx);
      await clearFindings(tx, pass.file.id);
      let findings = NOTHING_FOUND;
      await readBatches(tx, pass.file, spec, pass.context, async (entries) => {
        ({ findings } = await runBatch(spec, pass, tx, findings, entries));
        if (findings.counts.rejected > 0) {
          throw new AppError(
            'conflict',
            'Nothing was imported because your data changed after the check. Check the file again.',
          );
        }
        await reportProgress(pass, findings);
      });
      await holdToShown(pass, tx, 0);
      return findings;
    }),
  );
}

/**
 * Audits the drops of a transaction of the import.
 * @param kept rows that stay imported without it
 * @throws AppError conflict for drops that its check did not show
 */
async function holdToShown({ file, actor, now }: Pass, tx: Db, kept: number): Promise<void> {
  const shown = new ShownFalls(tx, file.id);
  await auditFloorDrops(tx, actor, now(), shown.check);
  shown.reject(kept);
}

async function runBatch<Name extends string, Row>(
  spec: Importer<Name, Row>,
  pass: Pass,
  tx: Db,
  before: StoredFindings,
  entries: readonly Entry<Row>[],
): Promise<{ readonly findings: StoredFindings; readonly touchesFloors: boolean }> {
  const { file, context, mode, shown } = pass;
  const isImport = mode === 'import';
  const plan = await spec.plan(tx, entries, context, isImport);
  await requireCurrentPass(pass, tx);
  const kept = file.allOrNothing ? 0 : before.counts.rows;
  if (isImport) {
    await rejectUnshownJumps(tx, file.id, plan.jumps ?? [], kept);
    await plan.write(tx);
  } else await writeJumps(tx, file.id, plan.jumps ?? []);
  const { findings, lines, rejected } = addBatch(before, file, entries, plan);
  if (isImport) rejectUnshownRows(file, findings, shown, kept);
  await insertLines(tx, file.id, lines);
  if (rejected !== '') {
    const header = before.rejectedParts === 0 ? rejectedHeader(file.header) : '';
    await insertChunk(tx, file.id, 'rejected', before.rejectedParts, Buffer.from(header + rejected));
  }
  await saveFindings(tx, file.id, findings);
  const touches = (outcome: RowOutcome): boolean =>
    outcome.kind === 'update' || outcome.kind === 'create' ? (spec.touchesFloors?.(outcome) ?? true) : false;
  return { findings, touchesFloors: plan.outcomes.some(touches) };
}

function reportProgress({ progress, total }: Pass, { counts }: StoredFindings): Promise<void> {
  return progress({ done: counts.rows - counts.rejected, failed: counts.rejected, total });
}
