import type { Db } from '#db/client.ts';
import { lockView, lockViewNames, type OwnedView, type ViewRow } from '#db/queries/catalog/views.ts';
import { insertAudit } from '#db/queries/identity/audit.ts';
import type { Instant } from '#domain/units.ts';
import { AppError } from '#usecases/app-error.ts';
import { type Editor, madeBy } from '#usecases/editor.ts';
import { requireTwoFactor, type SessionAssurance } from '#usecases/identity/accounts/session-assurance.ts';

export interface ViewDeps {
  readonly db: Db;
  readonly now: () => Instant;
}

/** The user who saves a view. */
export interface ViewEditor extends Editor, Pick<SessionAssurance, 'twoFactor'> {
  readonly isAdmin: boolean;
}

/** @throws AppError not_allowed when a user who is not an administrator shares; two_factor_missing */
export function requireShareRights(isShared: boolean, editor: ViewEditor): void {
  if (!isShared) return;
  if (!editor.isAdmin)
    throw new AppError('not_allowed', 'Only administrators can share views with everyone.');
  requireTwoFactor(editor);
}

/**
 * A view that this user may change: their own, or as an administrator one that is shared.
 * @throws AppError not_found; also for unshared views of others
 */
export async function changeableView(
  tx: Db,
  id: number,
  { id: userId, isAdmin, twoFactor }: ViewEditor,
): Promise<OwnedView> {
  const view = await lockView(tx, id);
  const isMine = view?.ownerId === userId;
  if (view === null || (!isMine && !view.isShared)) {
    throw new AppError('not_found', 'This view no longer exists. Reload the page.');
  }
  if (!isMine && !isAdmin) {
    throw new AppError(
      'not_allowed',
      `Only ${view.owner} and administrators can change this view. Save it as your own.`,
    );
  }
  if (!isMine) requireTwoFactor({ twoFactor });
  return view;
}

/**
 * A user cannot have two views of one name, nor more than the list shows.
 * @param exceptId the view that is changed; null for a new one
 * @throws AppError conflict
 */
export async function requireFreeNameAndQuota(
  tx: Db,
  { ownerId, list, name }: Pick<ViewRow, 'ownerId' | 'list' | 'name'>,
  exceptId: number | null,
  most: number,
): Promise<void> {
  const others = (await lockViewNames(tx, ownerId, list)).filter(({ id }) => id !== exceptId);
  if (others.some((other) => other.name.toLowerCase() === name.toLowerCase())) {
    const message = `A view named "${name}" already exists. Choose another name.`;
    throw new AppError('conflict', message, { fields: { name: message } });
  }
  if (others.length >= most) {
    throw new AppError('conflict', `A list can have up to ${most} views. Delete one you no longer need.`);
  }
}

type ViewAction = 'view.created' | 'view.edited' | 'view.deleted' | 'view.restored';

/** Audits what concerns others: views that are or were shared. */
export async function auditShared(
  tx: Db,
  editor: Editor,
  at: Instant,
  action: ViewAction,
  { before, after, id }: { id: number; before: Partial<ViewRow> | null; after: Partial<ViewRow> | null },
): Promise<void> {
  if (before?.isShared !== true && after?.isShared !== true) return;
  await insertAudit(tx, {
    ...madeBy(editor, at),
    action,
    targetKind: 'view',
    targetId: String(id),
    ...(before !== null && { before: auditFields(before) }),
    ...(after !== null && { after: auditFields(after) }),
  });
}

function auditFields({ name, isShared, query }: Partial<ViewRow>): Record<string, unknown> {
  return { name, isShared, query };
}
