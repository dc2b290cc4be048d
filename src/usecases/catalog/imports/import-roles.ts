import { IMPORT_KINDS, type ImportKind } from '#contract/imports.ts';
import type { ImportRow } from '#db/queries/catalog/imports.ts';
import { AppError } from '#usecases/app-error.ts';
import type { Actor } from '#usecases/editor.ts';
import { requireTwoFactor, type SessionAssurance } from '#usecases/identity/accounts/session-assurance.ts';

/** The user who imports a file, or reads one. */
export interface Uploader extends Actor, Pick<SessionAssurance, 'twoFactor'> {
  readonly id: string;
  readonly isAdmin: boolean;
}

/** The import kinds that a user may read: the same role as for the imported data. */
export function kindsFor({ isAdmin }: Pick<Uploader, 'isAdmin'>): readonly ImportKind[] {
  return isAdmin ? IMPORT_KINDS : IMPORT_KINDS.filter((kind) => kind !== 'fees');
}

/** Requires the right to read an import, its rows and its errors. @throws AppError not_allowed */
export function requireSight(kind: ImportKind, by: Pick<Uploader, 'isAdmin'>): void {
  if (kindsFor(by).includes(kind)) return;
  throw new AppError('not_allowed', 'You need administrator privileges to import fees.');
}

/**
 * Requires the right to import such a file; fees change every margin floor.
 * @throws AppError not_allowed, two_factor_missing
 */
export function requireRole(kind: ImportKind, by: Uploader): void {
  requireSight(kind, by);
  if (kind === 'fees') requireTwoFactor(by);
}

/**
 * Requires the right to choose the columns of an import, or to start it: the user who uploaded it, and administrators.
 * @throws AppError not_allowed, two_factor_missing
 */
export function requireChange(
  file: Pick<ImportRow, 'kind' | 'createdById' | 'createdBy'>,
  by: Uploader,
): void {
  requireRole(file.kind, by);
  if (file.createdById === by.id) return;
  if (by.isAdmin) {
    requireTwoFactor(by);
    return;
  }
  throw new AppError(
    'not_allowed',
    `${file.createdBy} uploaded this file. Only they and administrators can choose its columns and import it. Upload the file yourself to import it.`,
  );
}
