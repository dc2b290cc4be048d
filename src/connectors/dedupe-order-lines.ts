import type { SaleLine } from './connector.ts';
import { ConnectorError } from './connector-error.ts';

/**
 * The lines of one response without duplicates.
 * @throws ConnectorError of fault "unreadable" for two different lines with one ID, as it is unknown which is right
 */
export function dedupeOrderLines(name: string, lines: readonly SaleLine[]): SaleLine[] {
  const byId = new Map<string, SaleLine>();
  for (const line of lines) {
    const known = byId.get(line.externalId);
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(line)) {
      throw new ConnectorError('unreadable', `Unexpected response from ${name}: duplicate order line.`);
    }
    byId.set(line.externalId, line);
  }
  return [...byId.values()];
}
