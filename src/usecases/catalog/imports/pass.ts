import type { Db } from '#db/client.ts';
import { databaseErrorCode } from '#db/error-code.ts';
import { holdTurn, type ImportRow } from '#db/queries/catalog/imports.ts';
import type { Instant } from '#domain/units.ts';
import { JobInterrupted, type JobRun } from '#usecases/background/job-handler.ts';
import type { Actor } from '#usecases/editor.ts';
import type { ShownImport } from './import-step-up.ts';
import type { PassContext } from './importer.ts';

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
 * Asked by every transaction of a pass before it writes: what other columns, or another check, have overtaken adds
 * nothing to what was found with them.
 * @throws JobInterrupted where another has taken its place
 */
export async function keepTurn({ file, mode }: Pick<Pass, 'file' | 'mode'>, tx: Db): Promise<void> {
  if (!(await holdTurn(tx, file, stateOf(mode)))) throw new JobInterrupted('cancelled');
}

/** Does work again that others were in the way of. */
export async function withRetries<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt === MOST_TRIES || !OVERTAKEN.has(databaseErrorCode(error) ?? '')) throw error;
    }
  }
}
