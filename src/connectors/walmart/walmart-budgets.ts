import { OFFER_BUDGETS } from '#domain/competition/offer-budgets.ts';

const HOUR = 3_600;

/**
 * Walmart's limits less the fifth that is left to other programs with the same key. As published:
 * https://developer.walmart.com/us-marketplace/docs/rate-limiting
 */
export const WALMART_BUDGETS = {
  token: { perSecond: 0.5, burst: 5 },
  items: { perSecond: 4, burst: 10 },
  item: { perSecond: 4, burst: 10 },
  // 60 per minute with a filter.
  itemsOfSku: { perSecond: 0.8, burst: 5 },
  catalog: { perSecond: 1, burst: 5 },
  quality: { perSecond: 1, burst: 5 },
  // 100 per minute, as reported; not published.
  insights: { perSecond: OFFER_BUDGETS.walmart.used / 86_400, burst: 5 },
  promotions: { perSecond: 1, burst: 5 },
  orders: { perSecond: 4, burst: 10 },
  webhooks: { perSecond: 1, burst: 5 },
  feedStatus: { perSecond: 4, burst: 10 },
  // 100 per hour.
  price: { perSecond: 80 / HOUR, burst: 10 },
  // 10 per hour, shared with the older price feeds.
  feed: { perSecond: 8 / HOUR, burst: 2 },
  report: { perSecond: 2 / HOUR, burst: 2 },
  reportStatus: { perSecond: 1, burst: 5 },
  recon: { perSecond: 1, burst: 5 },
};
