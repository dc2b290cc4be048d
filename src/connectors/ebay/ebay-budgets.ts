import { OFFER_BUDGETS } from '#domain/competition/offer-budgets.ts';

/**
 * eBay reports no rate in its responses and has daily limits. A fifth of each limit is left to other programs.
 * Searches are few: 5,000 a day for the whole application, of which figures get a tenth.
 */
export const EBAY_BUDGETS = {
  token: { perSecond: 0.2, burst: 10 },
  inventory: { perSecond: 4, burst: 8 },
  // 5,000 calls a day for the whole application, by eBay's FAQ, of which 4,000: prices; single listings; the list of
  // active listings, whose 100 longest pages fit into one go; changes every ten minutes; details once a day.
  trading: { perSecond: 2_250 / 86_400, burst: 300 },
  trading_items: { perSecond: 400 / 86_400, burst: 100 },
  trading_lists: { perSecond: 1_000 / 86_400, burst: 110 },
  trading_events: { perSecond: 150 / 86_400, burst: 20 },
  trading_details: { perSecond: 200 / 86_400, burst: 60 },
  prices: { perSecond: 4, burst: 8 },
  // No limit is documented; every quarter of an hour one call, and one for each sale that runs.
  sales: { perSecond: 0.04, burst: 100 },
  orders: { perSecond: 0.9, burst: 20 },
  report: { perSecond: 0.9, burst: 20 },
  // No limit is documented.
  finances: { perSecond: 1, burst: 5 },
  search: { perSecond: OFFER_BUDGETS.ebay.used / 86_400, burst: 40 },
  // Twice per sync at most; 5,000 a day.
  categories: { perSecond: 0.05, burst: 10 },
  // Asked after a 429 only.
  limits: { perSecond: 0.02, burst: 5 },
  figures: { perSecond: 400 / 86_400, burst: 20 },
  // A key is kept for an hour, and eBay has few.
  keys: { perSecond: 0.05, burst: 10 },
};
