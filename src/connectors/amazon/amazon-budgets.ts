import type { HttpAnswer } from '#connectors/http/http-client.ts';
import type { BudgetLine, RateBudget } from '#connectors/http/rate-budget.ts';
import { OFFER_BUDGETS } from '#domain/competition/offer-budgets.ts';

/** Other programs use the same seller account: a fifth of the quota is left to them. */
const OUR_SHARE = 0.8;
/** Fees and transactions are read in bulk, and other programs ask for single ones while a user waits. */
const OUR_SHARE_IN_BULK = 0.5;
const IN_BULK = new Set(['fees', 'transactions']);

/** Amazon's default usage plans: calls per second, and burst. */
const PLANS = {
  participations: [0.016, 15],
  searchListings: [5, 5],
  listing: [5, 10],
  patchListing: [5, 5],
  previewListing: [1, 1],
  listingOffers: [OFFER_BUDGETS.amazon.limit / 86_400, 1],
  competitiveSummary: [0.033, 1],
  featuredPrices: [0.033, 1],
  createFeedDocument: [0.5, 15],
  // Five in five minutes, whatever the usage plan.
  createFeed: [0.0083, 5],
  feed: [2, 15],
  feedDocument: [0.0222, 10],
  createReport: [0.0167, 15],
  report: [2, 15],
  reports: [0.0222, 10],
  reportDocument: [0.0167, 15],
  orders: [0.0056, 20],
  fees: [0.5, 1],
  transactions: [0.5, 10],
  catalog: [2, 2],
  destinations: [1, 5],
  subscriptions: [1, 5],
} as const satisfies Record<string, readonly [perSecond: number, burst: number]>;

export type AmazonOperation = keyof typeof PLANS;

export const AMAZON_BUDGETS: Readonly<Record<string, BudgetLine>> = Object.fromEntries(
  Object.entries(PLANS).map(([operation, [perSecond, burst]]) => [
    operation,
    { perSecond: perSecond * ownShareOf(operation), burst: Math.max(1, Math.floor(burst * OUR_SHARE)) },
  ]),
);

/** Most of Amazon's responses report how many calls per second this seller has. */
export function learnRate(budget: RateBudget, operation: string, headers: HttpAnswer['headers']): void {
  const said = headers['x-amzn-ratelimit-limit'];
  const perSecond = typeof said === 'string' && /^\d{1,4}(\.\d{1,6})?$/.test(said) ? Number(said) : 0;
  if (perSecond > 0) budget.pace(operation, perSecond * ownShareOf(operation));
}

function ownShareOf(operation: string): number {
  return IN_BULK.has(operation) ? OUR_SHARE_IN_BULK : OUR_SHARE;
}
