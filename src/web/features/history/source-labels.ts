import type { HISTORY_SOURCE_FILTERS, HistoryEntry } from '#contract/history.ts';

/** Who or what moved a price, in one or two words. */
export const SOURCE_WORDS = {
  rule: 'Rule',
  person: 'Manual',
  apply: 'Applied',
  undo: 'Reverted',
  import: 'Import',
  observed: 'External edit',
} as const satisfies Record<HistoryEntry['source'], string>;

/** What the filter by source is called: beside one source, whatever is neither imported nor edited outside. */
export const SOURCE_FILTER_WORDS = {
  ...SOURCE_WORDS,
  ours: 'Without imports and external edits',
} as const satisfies Record<(typeof HISTORY_SOURCE_FILTERS)[number], string>;

/** "Olive Owner", "Beat everybody": whoever it was; empty when nobody is known. */
export function changedBy({ actor, rule, source }: HistoryEntry): string {
  if (source === 'rule') return rule?.name ?? '';
  return actor ?? '';
}
