import type { Db } from '#db/client.ts';
import { eachSkuToComplete, type SkuProblem } from '#db/queries/catalog/coverage-skus.ts';
import { skuExportHeader, skuExportLine } from '#files/sku-export.ts';

/**
 * Writes the SKUs whose missing costs block listings, as a file to fill in and import again.
 * @param write resolves when it can receive the next chunk
 */
export async function exportSkusToComplete(
  db: Db,
  problem: SkuProblem,
  write: (text: string) => Promise<void>,
): Promise<void> {
  await write(skuExportHeader());
  await eachSkuToComplete(db, problem, (rows) => write(rows.map(skuExportLine).join('')));
}
