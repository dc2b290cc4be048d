/** What starts a run. */
export const RUN_TRIGGERS = ['data_change', 'full_check', 'manual', 'apply', 'undo'] as const;
