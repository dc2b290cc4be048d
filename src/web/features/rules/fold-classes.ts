/** The line that folds and unfolds a part of the editor: as wide as its card. */
export const foldClasses =
  'flex min-h-11 w-full items-center gap-3 rounded-lg px-4 text-left text-md font-semibold hover:bg-hover';
