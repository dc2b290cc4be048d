import type { Run } from '#contract/engine.ts';

/** Labels of what starts a run. */
export const TRIGGER_LABELS = {
  data_change: 'Data changed',
  full_check: 'Scheduled check',
  manual: 'Started manually',
  apply: 'Recommendations applied',
  undo: 'Run undone',
} as const satisfies Record<Run['trigger'], string>;
