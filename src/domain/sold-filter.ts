/** Which listings by their sales of 30 days: without one, with one, or at a loss in sum. */
export const SOLD_FILTERS = ['none', 'some', 'loss'] as const;
export type SoldFilter = (typeof SOLD_FILTERS)[number];
