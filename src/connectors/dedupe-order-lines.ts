import type { SaleLine } from './connector.ts';
import { isUnreadable, type UnreadableRow, unreadableRow } from './passed-over.ts';

/**
 * The lines of one response without duplicates, and the orders that cannot be read. A line that is repeated within its
 * order keeps its first place. Of two different lines with one ID it is unknown which is right: neither is taken.
 */
export function dedupeOrderLines(rows: readonly (SaleLine | UnreadableRow)[]): (SaleLine | UnreadableRow)[] {
  const byId = new Map<string, SaleLine | UnreadableRow>();
  const unreadable: UnreadableRow[] = [];
  for (const row of rows) {
    if (isUnreadable(row)) {
      unreadable.push(row);
      continue;
    }
    const known = byId.get(row.externalId);
    if (known === undefined) byId.set(row.externalId, row);
    else if (isUnreadable(known) || contentOf(known) !== contentOf(row)) {
      byId.set(row.externalId, unreadableRow(row.orderRef, 'duplicate order line', row.externalId));
    }
  }
  return [...byId.values(), ...unreadable];
}

function contentOf({ lineNumber, ...line }: SaleLine): string {
  return JSON.stringify(line);
}
