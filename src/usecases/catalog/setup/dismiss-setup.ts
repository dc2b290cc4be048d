import type { Db } from '#db/client.ts';
import { setFlag } from '#db/queries/catalog/setup-flags.ts';
import { insertAudit } from '#db/queries/identity/audit.ts';
import { transact } from '#db/transact.ts';
import type { Instant } from '#domain/units.ts';
import { type Editor, madeBy } from '#usecases/editor.ts';

/** Closes the setup card for all users. */
export async function dismissSetup(db: Db, editor: Editor, now: Instant): Promise<void> {
  await transact(db, async (tx) => {
    await setFlag(tx, 'setup_dismissed', editor.name, now);
    await insertAudit(tx, { ...madeBy(editor, now), action: 'setup.dismissed' });
  });
}
