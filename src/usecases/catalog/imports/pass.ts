import type { Db } from '#db/client.ts';
import { databaseErrorCode } from '#db/error-code.ts';
import { holdTurn, type ImportRow } from '#db/queries/catalog/imports.ts';
import type { Instant } from '#domain/units.ts';
import { JobInterrupted, type JobRun } from '#usecases/background/job-handler.ts';
import type { Actor } from '#usecases/editor.ts';
import type { ShownImport } from './import-step-up.ts';
import type { PassContext } from './importer.ts';

/** One pass over a stored file, to check it or to import it. */
export interface Pass {
  readonly db: Db;
  readonly file: ImportRow;
  readonly context: PassContext;
  /** The user of the import. */
  readonly actor: Actor;
  readonly now: () => Instant;
  readonly mode: 'check' | 'import';
  /** For an import: what was shown and confirmed before it started. */
  readonly shown: ShownImport;
  /** Rows in the file; null while unknown. */
  readonly total: number | null;
  readonly progress: JobRun['progress'];
}

/** The file's state during a pass. */
export const stateOf = (mode: Pass['mode']): ImportRow['state'] =>
  mode === 'check' ? 'checking' : 'importing';

/** Conflicts with another transaction: the batch is planned again from current data. */
const RETRYABLE = new Set(['40001', '40P01', '23505', '23P01', '55P03']);
const MAX_ATTEMPTS = 5;

/**
 * Checks, in every transaction of a pass before it writes, that no other columns or check have superseded it.
 * @throws JobInterrupted when superseded
 */
export async function requireCurrentPass({ file, mode }: Pick<Pass, 'file' | 'mode'>, tx: Db): Promise<void> {
  if (!(await holdTurn(tx, file, stateOf(mode)))) throw new JobInterrupted('cancelled');
}

/** Retries work that conflicted with another transaction. */
export async function withRetries<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !RETRYABLE.has(databaseErrorCode(error) ?? '')) throw error;
    }
  }
}
