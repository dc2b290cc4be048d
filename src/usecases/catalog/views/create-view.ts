import { MOST_VIEWS, type NewView } from '#contract/views.ts';
import { insertView } from '#db/queries/catalog/views.ts';
import { transact } from '#db/transact.ts';
import { auditShared, refuseName, refuseSharing, type ViewDeps, type ViewEditor } from './view-deps.ts';

/**
 * Saves a view of a list.
 * @returns its number
 * @throws AppError not_allowed when somebody who is no administrator shares; conflict for a name that is taken or too
 * many views
 */
export async function createView({ db, now }: ViewDeps, view: NewView, editor: ViewEditor): Promise<number> {
  refuseSharing(view.isShared, editor);
  return transact(db, async (tx) => {
    const row = { ...view, ownerId: editor.id };
    await refuseName(tx, row, null, MOST_VIEWS);
    const id = await insertView(tx, row, now());
    await auditShared(tx, editor, now(), 'view.created', { id, before: null, after: row });
    return id;
  });
}
