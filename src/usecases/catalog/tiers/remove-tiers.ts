import type { Db } from '#db/client.ts';
import { deleteTiers, lockTiers } from '#db/queries/catalog/tiers.ts';
import { insertAudit } from '#db/queries/identity/audit.ts';
import { transact } from '#db/transact.ts';
import type { Instant } from '#domain/units.ts';
import { type Editor, madeBy } from '#usecases/editor.ts';

/** Deletes shipping tiers. @returns how many; those that were deleted before do not count */
export async function removeTiers(
  { db, now }: { db: Db; now: () => Instant },
  ids: readonly number[],
  editor: Editor,
): Promise<number> {
  return transact(db, async (tx) => {
    await lockTiers(tx);
    const deleted = await deleteTiers(tx, ids);
    if (deleted.length > 0) {
      await insertAudit(tx, {
        ...madeBy(editor, now()),
        action: 'tiers.deleted',
        targetKind: 'shipping tiers',
        before: { tiers: deleted },
      });
    }
    return deleted.length;
  });
}
