import type { Db } from '#db/client.ts';
import { type ChosenSkus, eachSku } from '#db/queries/catalog/sku-export-rows.ts';
import { skuExportHeader, skuExportLine } from '#files/sku-export.ts';

/**
 * Writes the SKUs of a filter as a file that imports again unchanged, in the order of the list, from one snapshot.
 * @param write resolves when it can receive the next chunk
 */
export async function exportSkus(
  db: Db,
  chosen: ChosenSkus,
  write: (text: string) => Promise<void>,
): Promise<void> {
  await write(skuExportHeader());
  await eachSku(db, chosen, (rows) => write(rows.map(skuExportLine).join('')));
}
