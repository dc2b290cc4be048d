/** How a command ended, as the shell sees it. */
export const EXIT = {
  ok: 0,
  /** It failed, or did a part only: some rows were rejected, a check found something, there is no such account. */
  failed: 1,
  /** Nothing was done: it was called the wrong way, or its input cannot be used. */
  unusable: 2,
} as const;
