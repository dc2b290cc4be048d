/** The style of every input, select and textarea: 44 px for touch, 36 px otherwise. */
export const controlClasses =
  'h-11 w-full rounded-md border border-border-control bg-surface px-2.5 text-lg text-fg aria-invalid:border-danger-text disabled:cursor-not-allowed disabled:opacity-60 dense:h-9 md:text-md';

/** The same in a table: 32 px from 768 px on. */
export const compactControl = 'dense:h-8 md:px-2 md:text-base';
