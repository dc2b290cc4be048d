import type { Import } from '#contract/imports.ts';

export const STEPS = ['file', 'columns', 'check', 'import', 'report'] as const;
export type Step = (typeof STEPS)[number];

export const STEP_NAMES = {
  file: 'File',
  columns: 'Columns',
  check: 'Check',
  import: 'Import',
  report: 'Report',
} as const satisfies Record<Step, string>;

/** Steps that can be seen now. Nothing goes back once rows are written. */
export function openSteps({ state, counts }: Pick<Import, 'state' | 'counts'>): readonly Step[] {
  switch (state) {
    case 'uploaded':
      return ['file', 'columns'];
    case 'checking':
    case 'checked':
      return ['file', 'columns', 'check'];
    case 'importing':
      return ['import'];
    case 'done':
      return ['report'];
    case 'failed':
      // Without counts not even the check came through: other columns may help. With them the import itself stopped.
      return counts === null ? ['file', 'columns'] : ['file', 'columns', 'report'];
  }
}

/** The step of the address where it can be seen, else the current step of the import. */
export function stepToShow(imported: Import, wanted: string | undefined): Step {
  const open = openSteps(imported);
  const found = open.find((step) => step === wanted);
  if (found !== undefined) return found;
  if (imported.state === 'checked' && imported.missingColumns.length > 0) return 'columns';
  return open.at(-1) ?? 'file';
}
