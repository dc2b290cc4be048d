import type { TextRow } from '#db/queries/catalog/import-rows.ts';
import { looseCode } from '#domain/written/loose-code.ts';
import { quoted } from '#files/row-problem.ts';

const MAX_NAMED = 5;

/** Remembers the codes of a file. */
export class CodesSeen {
  readonly #codes = new Map<string, string>();

  /**
   * @returns the first code of the file that is the same except for case, spaces or an apostrophe; null when there is
   *   none
   */
  add(code: string): string | null {
    const loose = looseCode(code);
    const first = this.#codes.get(loose);
    if (first === undefined) this.#codes.set(loose, code);
    return first === undefined || first === code ? null : first;
  }
}

/**
 * Notes about new codes that may be typos of existing ones, in the file or stored.
 * @param created rows with a `sku` and, where the file has one, its `twin`
 * @param stored existing codes; an exact match needs no note
 */
export function similarCodeNotes(created: readonly TextRow[], stored: readonly string[]): string[] {
  const byLoose = new Map<string, string[]>();
  for (const code of stored) byLoose.set(looseCode(code), [...(byLoose.get(looseCode(code)) ?? []), code]);
  const pairs = new Map<string, string>();
  for (const { sku, twin } of created) {
    const code = sku ?? '';
    const known = byLoose.get(looseCode(code)) ?? [];
    const other = known.includes(code) ? undefined : (known[0] ?? twin ?? undefined);
    if (other !== undefined) pairs.set(code, `${quoted(code)} and ${quoted(other)}`);
  }
  if (pairs.size === 0) return [];
  const named = [...pairs.values()].slice(0, MAX_NAMED).join(', ');
  const more = pairs.size > MAX_NAMED ? ` and ${(pairs.size - MAX_NAMED).toLocaleString('en-US')} more` : '';
  return [
    `Codes that differ only in case, spaces or an apostrophe are different SKUs: ${named}${more}. If they are the same product, write the code the same way everywhere before you import.`,
  ];
}
