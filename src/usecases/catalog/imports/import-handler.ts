import type { Db } from '#db/client.ts';
import { isConnectionFailure } from '#db/error-code.ts';
import { asProgram, underPermit } from '#db/permitted.ts';
import { clearShown } from '#db/queries/catalog/import-falls.ts';
import {
  changeImport,
  findImport,
  holdTurn,
  type ImportChange,
  type ImportRow,
} from '#db/queries/catalog/imports.ts';
import { insertAudit } from '#db/queries/identity/audit.ts';
import type { StoredFindings } from '#db/schema/imports.ts';
import { transact } from '#db/transact.ts';
import type { Instant } from '#domain/units.ts';
import { FileError } from '#files/file-error.ts';
import { AppError } from '#usecases/app-error.ts';
import {
  type JobHandler,
  JobInterrupted,
  type JobOutcome,
  type JobRun,
} from '#usecases/background/job-handler.ts';
import { jobPermit } from '#usecases/background/job-permit.ts';
import { type Actor, actedBy, readOrigin } from '#usecases/editor.ts';
import { IMPORTERS } from './import-kinds.ts';
import { requireChange } from './import-roles.ts';
import { readShown, requireBoundCheck } from './import-step-up.ts';
import { type Pass, requireCurrentPass, stateOf } from './pass.ts';
import { sentence } from './upload-import.ts';

const BATCH_ROWS = 2_000;

/** What imports need from outside. */
interface ImportDeps {
  readonly db: Db;
  readonly now: () => Instant;
  /** Rows per batch; tests use fewer. */
  readonly batchRows?: number;
}

/** Checks and imports files: the handler of jobs of kind 'import'. */
export function importHandler({ db, now, batchRows = BATCH_ROWS }: ImportDeps): JobHandler {
  return async (run) => {
    const file = await findImport(db, Number(run.work.importId));
    if (file === null) throw new AppError('not_found', 'The file is no longer stored. Upload it again.');
    const mode = run.work.step === 'import' ? 'import' : 'check';
    const isMine = file.jobId === run.id && file.state === stateOf(mode);
    if (!isMine) return { state: 'done', summary: 'Replaced by a newer choice of columns.' };
    const actor = { ...run.createdBy, ...readOrigin(run.work) };
    const permit = jobPermit(run.createdBy, ({ id, fullName, role }) =>
      requireChange(file, { id, name: fullName, isAdmin: role === 'admin', twoFactor: 'none' }),
    );
    const pass = { ...passOf({ db, at: now(), batchRows }, file, mode, run), actor, now };
    let findings: StoredFindings;
    try {
      await pass.progress(progressOf(file, pass.total));
      if (mode === 'import') requireBoundCheck(pass.shown, file.findings?.counts.rows ?? 0);
      findings = await underPermit(permit, () => IMPORTERS[file.kind](pass));
    } catch (error) {
      // The next process, or this one once the database is back, continues after the last batch.
      if (isConnectionFailure(error)) throw new JobInterrupted('lost');
      await asProgram(() => settle(db, file, mode, error, { actor, at: now() }));
      throw error instanceof FileError ? new AppError('validation_failed', sentence(error)) : error;
    }
    return asProgram(() => finish(pass, findings, { actor, at: now() }));
  };
}

function passOf(
  { db, at, batchRows }: { readonly db: Db; readonly at: Instant; readonly batchRows: number },
  file: ImportRow,
  mode: Pass['mode'],
  run: JobRun,
): Omit<Pass, 'actor' | 'now'> {
  const present = new Set(Object.keys(file.defaults));
  const headings = new Map<string, string>();
  for (const [name, column] of Object.entries(file.mapping)) {
    if (column === null) continue;
    present.add(name);
    headings.set(name, file.header[column] ?? '');
  }
  const rows = Number(run.work.rows);
  return {
    db,
    file,
    mode,
    shown: readShown(run),
    total: mode === 'import' && Number.isInteger(rows) ? rows : null,
    context: {
      fileName: file.fileName,
      source: file.source,
      at: file.startedAt ?? at,
      actor: run.createdBy,
      present,
      readings: file.readings,
      headings,
      batchRows,
    },
    progress: run.progress,
  };
}

/** Where a pass starts: after what an earlier process has done. */
function progressOf({ findings }: ImportRow, total: number | null): Parameters<JobRun['progress']>[0] {
  const { rows, rejected } = findings?.counts ?? { rows: 0, rejected: 0 };
  return { done: rows - rejected, failed: rejected, total };
}

/** Records a pass that did not reach its end. After a shutdown the next process continues it. */
async function settle(db: Db, file: ImportRow, mode: Pass['mode'], error: unknown, who: Who): Promise<void> {
  if (error instanceof JobInterrupted && error.why !== 'cancelled') return;
  await transact(db, async (tx) => {
    if (!(await holdTurn(tx, file, stateOf(mode)))) return;
    const isKept = mode === 'import' && !file.allOrNothing;
    const end = error instanceof JobInterrupted ? await cancelled(tx, file, mode) : failed(error, isKept);
    await changeImport(tx, file.id, end);
    await clearShown(tx, file.id);
    if (mode === 'check') return;
    const { kind, fileName } = file;
    const counts = (await findImport(tx, file.id))?.findings?.counts;
    const reason = end.error ?? 'Canceled.';
    await insertAudit(tx, {
      ...actedBy(who.actor, who.at),
      action: 'import.stopped',
      targetKind: 'import',
      targetId: String(file.id),
      after: { kind, fileName, ...counts, reason },
    });
  });
}

/** The user of an import, and the moment for the log. */
interface Who {
  readonly actor: Actor;
  readonly at: Instant;
}

/** @param isKept whether rows that were imported before the error stay */
function failed(error: unknown, isKept: boolean): ImportChange {
  if (error instanceof FileError) return { state: 'failed', error: sentence(error) };
  if (error instanceof AppError) return { state: 'failed', error: error.message };
  const rows = isKept ? 'Rows imported before it are kept.' : 'Nothing was imported.';
  return { state: 'failed', error: `Stopped by a server error. ${rows} See the server log for details.` };
}

async function cancelled(db: Db, file: ImportRow, mode: Pass['mode']): Promise<ImportChange> {
  if (mode === 'check') return { state: 'uploaded', findings: null, jobId: null };
  const findings = (await findImport(db, file.id))?.findings ?? null;
  if (findings === null) return { state: 'failed', error: 'Canceled. Nothing was imported.' };
  const note = `Canceled after ${findings.counts.rows.toLocaleString('en-US')} rows. Those stay imported; the others were not checked.`;
  return { state: 'done', findings: { ...findings, notes: [...findings.notes, note] } };
}

async function finish({ db, file, mode }: Pass, findings: StoredFindings, who: Who): Promise<JobOutcome> {
  const { counts } = findings;
  await transact(db, async (tx) => {
    await requireCurrentPass({ file, mode }, tx);
    if (mode === 'check') {
      await changeImport(tx, file.id, { state: 'checked', findings: { ...findings, isHeld: true } });
      return;
    }
    await changeImport(tx, file.id, { state: 'done', findings });
    await clearShown(tx, file.id);
    await insertAudit(tx, {
      ...actedBy(who.actor, who.at),
      action: 'import.done',
      targetKind: 'import',
      targetId: String(file.id),
      after: { kind: file.kind, fileName: file.fileName, ...counts },
    });
  });
  return {
    state: mode === 'import' && counts.rejected > 0 ? 'partly_done' : 'done',
    summary: mode === 'check' ? checkSummary(counts) : importSummary(counts),
  };
}

type Counts = StoredFindings['counts'];
const text = (count: number): string => count.toLocaleString('en-US');

function checkSummary({ rows, create, update, unchanged, rejected }: Counts): string {
  return `${text(rows)} rows: ${text(create)} would be created, ${text(update)} changed, ${text(unchanged)} are unchanged, ${text(rejected)} rejected.`;
}

function importSummary({ create, update, unchanged, rejected }: Counts): string {
  return `${text(create)} created, ${text(update)} changed, ${text(unchanged)} unchanged, ${text(rejected)} rejected.`;
}
