import type { ImportRow } from '#db/queries/catalog/imports.ts';
import type { StoredFindings } from '#db/schema/imports.ts';
import { AppError } from '#usecases/app-error.ts';
import type { JobRun } from '#usecases/background/job-handler.ts';
import { requireProofOfDrop } from '#usecases/catalog/costs/lowered-floors.ts';
import { MAX_WITHOUT_STEP_UP } from '#usecases/catalog/listings/bulk-step-up.ts';
import { requireStepUp, type SessionAssurance } from '#usecases/identity/accounts/session-assurance.ts';

/**
 * Asks for a fresh password before a file does what needs one by hand, by what its check says.
 * @param file one that is checked
 * @throws AppError step_up_required
 */
export function refuseUnprovedImport({ kind, findings }: ImportRow, clearance: SessionAssurance): void {
  if (findings === null) return;
  if (asksForProof(kind, findings.counts)) requireStepUp(clearance);
  if (findings.lowered !== undefined) requireProofOfDrop(findings.lowered, clearance);
}

/**
 * A file of listings always has prices, and may have limits: so many changed listings are so many prices. One of rules
 * has margins.
 */
function asksForProof(kind: ImportRow['kind'], { create, update }: StoredFindings['counts']): boolean {
  return (kind === 'rules' && create + update > 0) || (kind === 'listings' && update > MAX_WITHOUT_STEP_UP);
}

/** What the person who started an import had seen of its check, and whether they gave their password for it. */
export interface ShownImport {
  /** Whether its check wrote down what it is held to. */
  readonly isHeld: boolean;
  readonly isProved: boolean;
}

/** Reads what the job carries; one of an earlier version carries nothing. */
export function readShown({ work }: Pick<JobRun, 'work'>): ShownImport {
  return { isHeld: work.isHeld === true, isProved: work.isProved === true };
}

/**
 * Holds what an import has done so far against what its check had shown: rows that were new then may change something now.
 * @param kept rows that stay imported when it ends here
 * @throws AppError conflict when it does without a password what needs one
 */
export function refuseUnshownRows(
  { kind }: Pick<ImportRow, 'kind'>,
  { counts }: StoredFindings,
  shown: ShownImport,
  kept: number,
): void {
  if (shown.isProved) return;
  if (asksForProof(kind, counts)) throw beyondCheck('it would change more rows now', kept);
}

/**
 * An import whose check wrote nothing down would end at its first drop as if the data had changed.
 * @param kept rows that stay imported when it ends here
 * @throws AppError conflict for a file that was checked by an earlier version
 */
export function refuseUnheld({ isHeld }: Pick<ShownImport, 'isHeld'>, kept: number): void {
  if (isHeld) return;
  throw new AppError(
    'conflict',
    `This file was checked by an earlier version of Pricewright. ${keptText(kept)}. Check the file again.`,
  );
}

/** What ends an import that would do more than its check has shown. @param kept rows that stay imported */
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
