/** Michaels documents no limits. These are below the rate at which its own tests expect refusals. */
export const MICHAELS_BUDGETS = {
  listings: { perSecond: 0.5, burst: 5 },
  prices: { perSecond: 0.25, burst: 3 },
  publish: { perSecond: 0.1, burst: 1 },
  orders: { perSecond: 0.5, burst: 5 },
};
