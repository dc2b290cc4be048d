import type { Db } from '#db/client.ts';
import { eachSale, type SalesFilter } from '#db/queries/catalog/sales-list.ts';
import { salesExportHeader, salesExportLine } from '#files/sales-export.ts';

/**
 * Writes the sales of a filter as a file, newest first, from one snapshot.
 * @param write resolves when it can receive the next chunk
 */
export async function exportSales(
  db: Db,
  filter: SalesFilter,
  write: (text: string) => Promise<void>,
): Promise<void> {
  await write(salesExportHeader());
  await eachSale(db, filter, (rows) => write(rows.map(salesExportLine).join('')));
}
