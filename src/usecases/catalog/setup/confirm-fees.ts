import type { Db } from '#db/client.ts';
import { setFlag } from '#db/queries/catalog/setup-flags.ts';
import { insertAudit } from '#db/queries/identity/audit.ts';
import { transact } from '#db/transact.ts';
import type { Instant } from '#domain/units.ts';
import { type Editor, madeBy } from '#usecases/editor.ts';

/** Records that a user has compared the fees with those of the account; the first confirmation is kept. */
export async function confirmFees(db: Db, editor: Editor, now: Instant): Promise<void> {
  await transact(db, async (tx) => {
    await setFlag(tx, 'fees_checked', editor.name, now);
    await insertAudit(tx, { ...madeBy(editor, now), action: 'fees.checked' });
  });
}
