import type { Db } from '#db/client.ts';
import { eachPriceChange } from '#db/queries/repricing/history-export-rows.ts';
import type { HistoryFilter } from '#db/queries/repricing/history-filter.ts';
import type { Instant } from '#domain/units.ts';
import { historyExportHeader, historyExportLine } from '#files/history-export.ts';

/**
 * Writes the price changes of a filter as a file, newest first, from one snapshot.
 * @param write resolves when it can receive the next chunk
 */
export async function exportHistory(
  db: Db,
  filter: HistoryFilter,
  now: Instant,
  write: (text: string) => Promise<void>,
): Promise<void> {
  await write(historyExportHeader());
  await eachPriceChange(db, filter, now, (rows) => write(rows.map(historyExportLine).join('')));
}
