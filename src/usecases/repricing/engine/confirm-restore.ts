import { notify } from '#db/listen.ts';
import { insertAudit } from '#db/queries/identity/audit.ts';
import { lockEngineSwitches, setUnconfirmedRestore } from '#db/queries/repricing/engine.ts';
import { transact } from '#db/transact.ts';
import { type Editor, madeBy } from '#usecases/editor.ts';
import type { EngineDeps } from './engine-deps.ts';

/**
 * An administrator says that a restored database replaces the original: backups are scheduled and events of marketplaces
 * received again. Going live says the same. Repeating it changes nothing.
 */
export async function confirmRestore(
  { db, now }: Pick<EngineDeps, 'db' | 'now'>,
  editor: Editor,
): Promise<void> {
  await transact(db, async (tx) => {
    const { unconfirmedRestoreAt } = await lockEngineSwitches(tx);
    if (unconfirmedRestoreAt === null) return;
    await setUnconfirmedRestore(tx, null);
    await insertAudit(tx, { ...madeBy(editor, now()), action: 'engine.restore_confirmed' });
    await notify(tx, 'pricewright_engine', []);
  });
}
