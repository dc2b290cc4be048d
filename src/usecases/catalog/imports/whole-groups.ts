import type { Entry, RowError } from './importer.ts';

/** An entry whose group can be read at least. */
export interface Readable<Row> extends Entry<Row> {
  readonly row: Row;
}

/** The entries that a plan is made of: those whose row could be read. */
export function readable<Row>(entries: readonly Entry<Row>[]): Readable<Row>[] {
  return entries.flatMap((entry) => (entry.row === null ? [] : [{ ...entry, row: entry.row }]));
}

export function groupsOf<Row>(
  entries: readonly Readable<Row>[],
  groupOf: (row: Row) => string,
): Map<string, Readable<Row>[]> {
  const groups = new Map<string, Readable<Row>[]>();
  for (const entry of entries) {
    const group = groups.get(groupOf(entry.row));
    if (group === undefined) groups.set(groupOf(entry.row), [entry]);
    else group.push(entry);
  }
  return groups;
}

/**
 * The errors of a group that replaces what is stored: one bad row rejects all of them, since a part would replace the
 * whole, and importing the corrected rest later would remove the part again.
 * @param name what the rows make together: "bundle"
 * @returns an error for every entry that has one, empty for a good group
 */
export function groupErrors<Row>(
  group: readonly Readable<Row>[],
  name: string,
  complaintOf: (entry: Readable<Row>) => RowError | null,
): Map<Readable<Row>, RowError> {
  const complaints = new Map<Readable<Row>, RowError>();
  let firstBad: number | null = null;
  for (const entry of group) {
    const complaint = entry.problems[0] ?? complaintOf(entry);
    if (complaint === null) continue;
    complaints.set(entry, complaint);
    firstBad ??= entry.line;
  }
  if (firstBad === null) return complaints;
  for (const entry of group) {
    if (complaints.has(entry)) continue;
    complaints.set(entry, {
      column: null,
      value: null,
      problem: `is rejected with line ${firstBad}: the rows of one ${name} are imported together`,
      fix: 'Correct that row and import these rows again.',
      isSecondary: true,
    });
  }
  return complaints;
}
