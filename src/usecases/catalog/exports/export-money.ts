import type { Db } from '#db/client.ts';
import { eachMoneyEvent, type MoneyFilter } from '#db/queries/marketplaces/money/money-lists.ts';
import { moneyExportHeader, moneyExportLine } from '#files/money-export.ts';

/**
 * Writes the booked amounts of a filter as a file, newest first, from one snapshot.
 * @param write resolves when it can receive the next chunk
 */
export async function exportMoney(
  db: Db,
  filter: MoneyFilter,
  write: (text: string) => Promise<void>,
): Promise<void> {
  await write(moneyExportHeader());
  await eachMoneyEvent(db, filter, (rows) => write(rows.map(moneyExportLine).join('')));
}
