import { MAX_VIEWS, type NewView } from '#contract/views.ts';
import { insertView } from '#db/queries/catalog/views.ts';
import { transact } from '#db/transact.ts';
import {
  auditShared,
  requireFreeNameAndQuota,
  requireShareRights,
  type ViewDeps,
  type ViewEditor,
} from './view-deps.ts';

/**
 * Saves a view of a list.
 * @returns its id
 * @throws AppError not_allowed when a user who is not an administrator shares it; conflict for a name that is used
 *   already or too many views
 */
export async function createView({ db, now }: ViewDeps, view: NewView, editor: ViewEditor): Promise<number> {
  requireShareRights(view.isShared, editor);
  return transact(db, async (tx) => {
    const row = { ...view, ownerId: editor.id };
    await requireFreeNameAndQuota(tx, row, null, MAX_VIEWS);
    const id = await insertView(tx, row, now());
    await auditShared(tx, editor, now(), 'view.created', { id, before: null, after: row });
    return id;
  });
}
