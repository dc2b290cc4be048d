/** The style of every input, select and textarea: 44 px for touch, 40 px otherwise. */
export const controlClasses =
  'h-11 w-full rounded-md border border-border-control bg-surface px-3 text-lg text-fg aria-invalid:border-danger-text disabled:cursor-not-allowed disabled:opacity-60 dense:h-10 md:text-base';

/** The same in a toolbar or a table: 32 px from 768 px on. */
export const compactControl = 'dense:h-8 md:px-2';
