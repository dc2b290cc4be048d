import type { Db } from '#db/client.ts';
import { lockSale, writeRestocked } from '#db/queries/catalog/restocked-sales.ts';
import { insertAudit } from '#db/queries/identity/audit.ts';
import { transact } from '#db/transact.ts';
import type { Instant } from '#domain/units.ts';
import { AppError } from '#usecases/app-error.ts';
import { type Editor, madeBy } from '#usecases/editor.ts';

/**
 * Enters how many units of a sale came back into stock: their product cost is not lost. Without it, returned goods count
 * as written off.
 * @throws AppError not_found, or validation_failed for more units than were sold
 */
export async function restockSale(
  db: Db,
  { id, units }: { readonly id: number; readonly units: number },
  editor: Editor,
  now: Instant,
): Promise<void> {
  await transact(db, async (tx) => {
    const sale = await lockSale(tx, id);
    if (sale === null) throw new AppError('not_found', 'This sale does not exist or was canceled.');
    if (units > sale.quantity) {
      const message = `This sale is of ${sale.quantity === 1 ? '1 unit' : `${sale.quantity} units`}.`;
      throw new AppError('validation_failed', message, { fields: { units: message } });
    }
    if (units === sale.restocked) return;
    await writeRestocked(tx, id, units, now);
    await insertAudit(tx, {
      ...madeBy(editor, now),
      action: 'sale.restocked',
      targetKind: 'sale',
      targetId: String(id),
      before: { order: sale.orderRef, sku: sale.sku, restocked: sale.restocked },
      after: { order: sale.orderRef, sku: sale.sku, restocked: units },
    });
  });
}
