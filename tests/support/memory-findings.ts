import type { AccountFindings } from '#connectors/connector.ts';
import { type Instant, instant } from '#domain/units.ts';

/** Findings in memory, as the database keeps them: by name, each until its time. */
export function memoryFindings(
  known: Readonly<Record<string, unknown>> = {},
  now: () => Instant = () => instant(0),
): AccountFindings {
  const kept = new Map<string, { readonly json: string; readonly until: Instant | null }>();
  for (const [name, value] of Object.entries(known))
    kept.set(name, { json: JSON.stringify(value), until: null });
  return {
    read: async (name) => {
      const found = kept.get(name);
      const isOver = found === undefined || (found.until !== null && found.until <= now());
      return isOver ? null : JSON.parse(found.json);
    },
    write: async (name, value, until) => void kept.set(name, { json: JSON.stringify(value), until }),
  };
}
