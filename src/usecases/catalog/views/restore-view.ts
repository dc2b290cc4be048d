import { MAX_VIEWS } from '#contract/views.ts';
import { markViewDeleted } from '#db/queries/catalog/views.ts';
import { transact } from '#db/transact.ts';
import {
  auditShared,
  changeableView,
  requireFreeNameAndQuota,
  type ViewDeps,
  type ViewEditor,
} from './view-deps.ts';

/**
 * Restores a deleted view.
 * @throws AppError not_found or not_allowed for views of others; conflict when another view has its name now
 */
export async function restoreView({ db, now }: ViewDeps, id: number, editor: ViewEditor): Promise<void> {
  await transact(db, async (tx) => {
    const view = await changeableView(tx, id, editor);
    if (view.deletedAt === null) return;
    await requireFreeNameAndQuota(tx, view, id, MAX_VIEWS);
    await markViewDeleted(tx, id, null);
    await auditShared(tx, editor, now(), 'view.restored', { id, before: null, after: view });
  });
}
