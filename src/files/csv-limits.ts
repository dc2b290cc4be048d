/** The most bytes one cell may have. A longer one is nearly always a quote that was never closed. */
export const MAX_CELL_BYTES = 65_536;
/** The most bytes one row may have, its quotes and separators included. */
export const MAX_ROW_BYTES = 1_048_576;
/** The most columns a file may have. */
export const MAX_COLUMNS = 256;
