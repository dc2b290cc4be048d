import { type EditView, MAX_VIEWS } from '#contract/views.ts';
import { updateView } from '#db/queries/catalog/views.ts';
import { transact } from '#db/transact.ts';
import { AppError } from '#usecases/app-error.ts';
import { lastChangeText } from '#usecases/last-change.ts';
import {
  auditShared,
  changeableView,
  requireFreeNameAndQuota,
  requireShareRights,
  type ViewDeps,
  type ViewEditor,
} from './view-deps.ts';

/**
 * Saves a view: its name, its content, or who sees it.
 * @throws AppError not_found or not_allowed for views of others; conflict when it was saved in between, or its name is
 *   used already
 */
export async function editView(
  { db, now }: ViewDeps,
  id: number,
  { version, ...change }: EditView,
  editor: ViewEditor,
): Promise<void> {
  await transact(db, async (tx) => {
    const before = await changeableView(tx, id, editor);
    // A user who has lost the right to share keeps the view shared, but cannot share another one.
    if (!before.isShared) requireShareRights(change.isShared, editor);
    if (before.deletedAt !== null || before.version !== version) {
      const change = await lastChangeText(tx, { ...before, kind: 'view' }, now());
      throw new AppError(
        'conflict',
        `This view was changed after you opened it${change}. Reload the page and try again.`,
      );
    }
    await requireFreeNameAndQuota(tx, { ...before, name: change.name }, id, MAX_VIEWS);
    await updateView(tx, id, change, now());
    await auditShared(tx, editor, now(), 'view.edited', { id, before, after: change });
  });
}
