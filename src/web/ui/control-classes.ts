/** The style of every input, select and textarea: 44 px for touch, 36 px otherwise. */
export const controlClasses =
  'h-11 w-full rounded-md border border-border-control bg-surface px-2.5 text-lg text-fg aria-invalid:border-danger-text disabled:cursor-not-allowed disabled:opacity-60 dense:h-9 md:text-md';

/** The same in a toolbar: 28 px from 768 px on. */
export const compactControl = 'dense:h-7 md:px-2 md:text-base';

/** A link or button in a line of text: on a phone it is pressed in 40 px, without moving the line. */
export const touchTarget =
  "relative max-md:after:absolute max-md:after:inset-x-0 max-md:after:top-1/2 max-md:after:h-10 max-md:after:-translate-y-1/2 max-md:after:content-['']";
