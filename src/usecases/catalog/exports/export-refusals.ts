import type { Db } from '#db/client.ts';
import { eachRefusal } from '#db/queries/background/job-refusals.ts';
import { EXPORT_START, exportLine, plainCell, textCell } from '#files/export-cells.ts';

/**
 * Writes the listings that a job skipped, with the reasons.
 * @param write resolves when it can receive the next chunk
 */
export async function exportRefusals(
  db: Db,
  jobId: number,
  write: (text: string) => Promise<void>,
): Promise<void> {
  await write(EXPORT_START + exportLine(['marketplace', 'sku', 'reason']));
  await eachRefusal(db, jobId, (rows) =>
    write(
      rows
        .map((row) => exportLine([plainCell(row.marketplace), textCell(row.sku), textCell(row.message)]))
        .join(''),
    ),
  );
}
