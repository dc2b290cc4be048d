import type { Db } from '#db/client.ts';
import { readRunItemsFrom } from '#db/queries/repricing/run-views.ts';
import { EXPORT_START } from '#files/export-cells.ts';
import { priceChangeHeader, priceChangeLine } from '#files/price-change-format.ts';
import { safeCell } from '#files/safe-cell.ts';
import { type ExplainedItem, explainItems } from './explain-items.ts';

const PAGE_SIZE = 1_000;

/**
 * Writes the decisions of a run as a CSV file of price changes, a page at a time.
 * @param write resolves when it takes more
 */
export async function exportRun(
  db: Db,
  runId: number,
  write: (text: string) => Promise<void>,
): Promise<void> {
  await write(EXPORT_START + priceChangeHeader(false));
  let from = 0;
  for (;;) {
    const rows = await readRunItemsFrom(db, runId, from, PAGE_SIZE);
    if (rows.length > 0) await write(explainItems(rows).map(lineOf).join(''));
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE_SIZE) return;
    from = last.listingId + 1;
  }
}

/** Its free texts are guarded: people open this file in a spreadsheet. */
function lineOf(item: ExplainedItem): string {
  return priceChangeLine({
    marketplace: item.marketplace,
    sku: safeCell(item.sku),
    outcome: item.outcome,
    oldPrice: item.oldPrice,
    newPrice: item.price,
    floor: item.marginFloor,
    marginBefore: item.marginBefore,
    marginAfter: item.marginAfter,
    rule: safeCell(item.ruleName),
    reasonCode: item.reasonCode,
    reason: safeCell(item.reason),
    line: item.line,
    situation: item.situation,
    trace: null,
  });
}
