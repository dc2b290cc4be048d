import { insertAudit } from '#db/queries/identity/audit.ts';
import {
  readExternalEditPolicy,
  setExternalEditPolicy,
} from '#db/queries/marketplaces/sending/external-edits.ts';
import { transact } from '#db/transact.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import type { ExternalEditPolicy } from '#domain/readings/repair-or-hold.ts';
import type { ListingDeps } from '#usecases/catalog/listings/listing-deps.ts';
import { type Editor, madeBy } from '#usecases/editor.ts';

/** Sets what happens on a marketplace to external edits below the lowest allowed price. Repeating it changes nothing. */
export async function saveExternalEditPolicy(
  { db, now }: Pick<ListingDeps, 'db' | 'now'>,
  marketplace: Marketplace,
  policy: ExternalEditPolicy,
  editor: Editor,
): Promise<void> {
  await transact(db, async (tx) => {
    const before = await readExternalEditPolicy(tx, marketplace);
    if (before === policy) return;
    await setExternalEditPolicy(tx, marketplace, policy);
    await insertAudit(tx, {
      ...madeBy(editor, now()),
      action: 'external_edits.set',
      targetKind: 'marketplaces',
      targetId: marketplace,
      before: { policy: before },
      after: { policy },
    });
  });
}
