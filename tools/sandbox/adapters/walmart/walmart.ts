import type { AdapterContext, LimitLine, MarketplaceAdapter } from '#sandbox/adapters/adapter.ts';
import { addItems } from './items.ts';
import { addOrders } from './orders.ts';
import { Prices } from './prices.ts';
import { addPricingInsights, addPromotions } from './pricing-insights.ts';
import { addRecon } from './recon.ts';
import { addDownloads, addReportFiles, addReports } from './reports.ts';
import { addAuthRoutes, addTokenDetail, addXmlResponses, requireAuth } from './walmart-auth.ts';
import { walmartErrorFormat } from './walmart-errors.ts';
import { Webhooks } from './webhooks.ts';

const MINUTE = 60;
const HOUR = 3_600;

function per(seconds: number, calls: number): LimitLine {
  return { perSecond: calls / seconds, burst: calls };
}

/** The usual limits of a seller. */
const LIMITS: Readonly<Record<string, LimitLine>> = {
  getAllItems: per(MINUTE, 300),
  getAnItem: per(MINUTE, 900),
  getCatalogSearch: per(MINUTE, 100),
  itemsDetailsForListing: per(MINUTE, 100),
  getPricingInsights: per(MINUTE, 100),
  updatePrice: per(HOUR, 100),
  submitPriceAndPromotionFeed: per(HOUR, 10),
  getFeedItemStatus: per(MINUTE, 5_000),
  getAllFeedStatuses: per(MINUTE, 5_000),
  generateReport: per(HOUR, 20),
  getSingleRequestStatus: per(MINUTE, 60),
  downloadReport: per(MINUTE, 10),
  getAllOrders: per(MINUTE, 5_000),
  getAvailableV1ReconReportDates: { perSecond: 1, burst: 1 },
  getAvailableV1ReconReportAsJson: { perSecond: 1, burst: 1 },
  getAllSubscriptions: per(MINUTE, 100),
  createSubscription: per(MINUTE, 100),
  deleteSubscription: per(MINUTE, 100),
};

/** Walmart's marketplace API for the United States, as far as a repricer uses it. */
export function walmartAdapter(tools: AdapterContext): MarketplaceAdapter {
  const market = tools.world.market('walmart');
  const prices = new Prices(market, tools);
  const webhooks = new Webhooks(market);
  return {
    name: 'walmart',
    errorFormat: walmartErrorFormat(tools.world),
    limits: LIMITS,
    register: (app) => {
      addXmlResponses(app);
      addAuthRoutes(app, market);
      addReportFiles(app, market);
      app.register(async (calls) => {
        requireAuth(calls, market);
        addTokenDetail(calls, tools.world);
        addItems(calls, market);
        addPricingInsights(calls, market);
        addPromotions(calls, market);
        prices.register(calls);
        addReports(calls, market);
        addDownloads(calls, market, tools);
        addOrders(calls, market);
        addRecon(calls, market);
        webhooks.register(calls);
      });
    },
  };
}
