import type { ImportRow } from '#db/queries/catalog/imports.ts';
import type { StoredFindings } from '#db/schema/imports.ts';
import { AppError } from '#usecases/app-error.ts';
import type { JobRun } from '#usecases/background/job-handler.ts';
import { MAX_WITHOUT_STEP_UP } from '#usecases/catalog/bulk-actions/bulk-step-up.ts';
import { requireStepUpForDrop } from '#usecases/catalog/costs/lowered-floors.ts';
import { requireStepUp, type SessionAssurance } from '#usecases/identity/accounts/session-assurance.ts';

/**
 * Requires step-up authentication before an import that would need it when done by hand, according to its check.
 * @param file one that is checked
 */
export function requireStepUpForImport({ kind, findings }: ImportRow, assurance: SessionAssurance): void {
  if (findings === null) return;
  if (asksForStepUp(kind, findings.counts)) requireStepUp(assurance);
  if (findings.lowered !== undefined) requireStepUpForDrop(findings.lowered, assurance);
}

/**
 * A file of listings always has prices, and may have limits, so many changed listings are many changed prices. A file
 * of rules has margins.
 */
function asksForStepUp(kind: ImportRow['kind'], { create, update }: StoredFindings['counts']): boolean {
  return (kind === 'rules' && create + update > 0) || (kind === 'listings' && update > MAX_WITHOUT_STEP_UP);
}

/** What the user had seen of the check when starting an import, and whether step-up authentication was done for it. */
export interface ShownImport {
  /** Whether its check stored what it is bound to. */
  readonly isHeld: boolean;
  readonly isStepUpFresh: boolean;
}

/** Reads the data of a job; one of 1.3.0 has another name for the step-up, and older ones have nothing. */
export function readShown({ work }: Pick<JobRun, 'work'>): ShownImport {
  return {
    isHeld: work.isHeld === true,
    isStepUpFresh: work.isStepUpFresh === true || work.isProved === true,
  };
}

/**
 * Compares what an import has done so far with its check: rows that were new in the check may change something now.
 * @param kept rows that stay imported when it ends here
 * @throws AppError conflict when it does, without step-up authentication, what needs it
 */
export function rejectUnshownRows(
  { kind }: Pick<ImportRow, 'kind'>,
  { counts }: StoredFindings,
  shown: ShownImport,
  kept: number,
): void {
  if (shown.isStepUpFresh) return;
  if (asksForStepUp(kind, counts)) throw beyondCheck('it would change more rows now', kept);
}

/**
 * An import whose check stored nothing would end at its first drop as if the data had changed.
 * @param kept rows that stay imported when it ends here
 * @throws AppError conflict for a file that was checked by an earlier version
 */
export function requireBoundCheck({ isHeld }: Pick<ShownImport, 'isHeld'>, kept: number): void {
  if (isHeld) return;
  throw new AppError(
    'conflict',
    `This file was checked by an earlier version of Pricewright. ${keptText(kept)}. Check the file again.`,
  );
}

/** The error of an import that would do more than its check showed. @param kept rows that stay imported */
export function beyondCheck(because: string, kept: number): AppError {
  return new AppError(
    'conflict',
    `The import stopped because your data changed after the check: ${because}, which the check did not show. ${keptText(kept)}. Check the file again.`,
  );
}

function keptText(kept: number): string {
  if (kept === 0) return 'Nothing was imported';
  return `The first ${kept === 1 ? 'row stays' : `${kept.toLocaleString('en-US')} rows stay`} imported`;
}
