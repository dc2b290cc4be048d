import { markViewDeleted } from '#db/queries/catalog/views.ts';
import { transact } from '#db/transact.ts';
import { auditShared, changeableView, type ViewDeps, type ViewEditor } from './view-deps.ts';

/**
 * Deletes a view; it can be restored. Deleting it twice does nothing.
 * @throws AppError not_found or not_allowed for views of others
 */
export async function deleteView({ db, now }: ViewDeps, id: number, editor: ViewEditor): Promise<void> {
  await transact(db, async (tx) => {
    const view = await changeableView(tx, id, editor);
    if (view.deletedAt !== null) return;
    await markViewDeleted(tx, id, now());
    await auditShared(tx, editor, now(), 'view.deleted', { id, before: view, after: null });
  });
}
