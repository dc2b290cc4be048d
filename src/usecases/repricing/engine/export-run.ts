import type { Db } from '#db/client.ts';
import { readRunItemsFrom } from '#db/queries/repricing/run-views.ts';
import { priceChangeHeader, priceChangeLine } from '#files/price-change-format.ts';
import { type ExplainedItem, explainItems } from './explain-items.ts';

const PAGE_SIZE = 1_000;

/** The decisions of a run as a CSV file of price changes, a page at a time. */
export async function* exportRun(db: Db, runId: number): AsyncGenerator<string> {
  yield priceChangeHeader(false);
  let from = 0;
  for (;;) {
    const rows = await readRunItemsFrom(db, runId, from, PAGE_SIZE);
    if (rows.length > 0) yield explainItems(rows).map(lineOf).join('');
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE_SIZE) return;
    from = last.listingId + 1;
  }
}

function lineOf(item: ExplainedItem): string {
  return priceChangeLine({
    marketplace: item.marketplace,
    sku: forSpreadsheet(item.sku),
    outcome: item.outcome,
    oldPrice: item.oldPrice,
    newPrice: item.price,
    floor: item.marginFloor,
    marginBefore: item.marginBefore,
    marginAfter: item.marginAfter,
    rule: forSpreadsheet(item.ruleName),
    reasonCode: item.reasonCode,
    reason: forSpreadsheet(item.reason),
    trace: null,
  });
}

/** Prefixes text that a spreadsheet would run as a formula with an apostrophe; our own readers remove it. */
function forSpreadsheet(text: string): string {
  return /^'*[=+\-@\t\r]/.test(text) ? `'${text}` : text;
}
