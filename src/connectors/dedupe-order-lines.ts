import type { SaleLine } from './connector.ts';
import { ConnectorError } from './connector-error.ts';

/**
 * The lines of one response without duplicates. A line that is repeated within its order keeps its first place.
 * @throws ConnectorError of fault "unreadable" for two different lines with one ID, as it is unknown which is right
 */
export function dedupeOrderLines(name: string, lines: readonly SaleLine[]): SaleLine[] {
  const byId = new Map<string, SaleLine>();
  for (const line of lines) {
    const known = byId.get(line.externalId);
    if (known === undefined) byId.set(line.externalId, line);
    else if (contentOf(known) !== contentOf(line)) {
      throw new ConnectorError('unreadable', `Unexpected response from ${name}: duplicate order line.`);
    }
  }
  return [...byId.values()];
}

function contentOf({ lineNumber, ...line }: SaleLine): string {
  return JSON.stringify(line);
}
