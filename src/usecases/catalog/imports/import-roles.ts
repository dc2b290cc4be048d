import { IMPORT_KINDS, type ImportKind } from '#contract/imports.ts';
import type { ImportRow } from '#db/queries/catalog/imports.ts';
import { AppError } from '#usecases/app-error.ts';
import type { Actor } from '#usecases/editor.ts';
import { requireTwoFactor, type SessionAssurance } from '#usecases/identity/accounts/session-assurance.ts';

/** Whoever brings a file in, or looks at one. */
export interface Uploader extends Actor, Pick<SessionAssurance, 'twoFactor'> {
  readonly id: string;
  readonly isAdmin: boolean;
}

/** What somebody may read of imports: the same role as for what is imported. */
export function kindsFor({ isAdmin }: Pick<Uploader, 'isAdmin'>): readonly ImportKind[] {
  return isAdmin ? IMPORT_KINDS : IMPORT_KINDS.filter((kind) => kind !== 'fees');
}

/** Lets somebody look at an import, its rows and what is wrong with them. @throws AppError not_allowed */
export function requireSight(kind: ImportKind, by: Pick<Uploader, 'isAdmin'>): void {
  if (kindsFor(by).includes(kind)) return;
  throw new AppError('not_allowed', 'You need administrator privileges to import fees.');
}

/** Lets somebody bring such a file in; fees move every floor. @throws AppError not_allowed, two_factor_missing */
export function requireRole(kind: ImportKind, by: Uploader): void {
  requireSight(kind, by);
  if (kind === 'fees') requireTwoFactor(by);
}

/**
 * Lets somebody choose the columns of an import, or have it written: who brought it in, and administrators.
 * @throws AppError not_allowed, two_factor_missing
 */
export function requireChange(
  file: Pick<ImportRow, 'kind' | 'createdById' | 'createdBy'>,
  by: Uploader,
): void {
  requireRole(file.kind, by);
  if (by.isAdmin || file.createdById === by.id) return;
  throw new AppError(
    'not_allowed',
    `${file.createdBy} uploaded this file. Only they and administrators can choose its columns and import it. Upload the file yourself to import it.`,
  );
}
