import type { HISTORY_SOURCE_FILTERS, HistoryEntry } from '#contract/history.ts';

/** The source of a price change, in one or two words. */
export const SOURCE_LABELS = {
  rule: 'Rule',
  person: 'Manual',
  apply: 'Applied',
  undo: 'Reverted',
  repair: 'Repaired',
  import: 'Import',
  observed: 'External edit',
} as const satisfies Record<HistoryEntry['source'], string>;

/** Labels of the source filter. */
export const SOURCE_FILTER_LABELS = {
  ...SOURCE_LABELS,
  ours: 'Without imports and external edits',
  repricing: 'Rules and applied recommendations',
} as const satisfies Record<(typeof HISTORY_SOURCE_FILTERS)[number], string>;

/** "Olive Owner", "Beat everybody": the user or rule; empty if unknown. */
export function changedBy({ actor, rule, source }: HistoryEntry): string {
  if (source === 'rule') return rule?.name ?? '';
  return actor ?? '';
}
