/** Two cards of a row: the left one is for a chart or a table. */
export const MAIN_GRID = 'grid gap-3 *:min-w-0 xl:grid-cols-[minmax(0,1.7fr)_minmax(0,1fr)]';

/** Height of the drawings in such a row, in pixels. */
export const CHART_HEIGHT = 240;
/** Of the profit: next to it is a list of six rows. */
export const PROFIT_HEIGHT = 280;
