import type { FastifyInstance } from 'fastify';
import type { AdapterContext, LimitLine, MarketplaceAdapter } from '#sandbox/adapters/adapter.ts';
import { addAuthRoutes, MARKETPLACE_ID, requireAuth } from './amazon-auth.ts';
import { amazonErrorFormat } from './amazon-errors.ts';
import { addCatalog } from './catalog.ts';
import { addCompetitiveSummary } from './competitive-summary.ts';
import { Documents } from './documents.ts';
import { addFeaturedPrice } from './featured-price.ts';
import { addFeeds } from './feeds.ts';
import { addFees } from './fees.ts';
import { addFinances } from './finances.ts';
import { Listings } from './listings.ts';
import { Notifications } from './notifications.ts';
import { addOfferBatches } from './offer-batches.ts';
import { addOrders } from './orders.ts';
import { addReports } from './reports.ts';

const NOTIFICATIONS = ['getDestinations', 'createDestination', 'getSubscription', 'createSubscription'];

/** The usual limits of a seller's application. */
const LIMITS: Readonly<Record<string, LimitLine>> = {
  searchListingsItems: { perSecond: 5, burst: 5 },
  getListingsItem: { perSecond: 5, burst: 10 },
  patchListingsItem: { perSecond: 5, burst: 5 },
  getListingOffersBatch: { perSecond: 0.5, burst: 1 },
  getItemOffersBatch: { perSecond: 0.1, burst: 1 },
  getCompetitiveSummary: { perSecond: 0.033, burst: 1 },
  getFeaturedOfferExpectedPriceBatch: { perSecond: 0.033, burst: 1 },
  getMyFeesEstimates: { perSecond: 0.5, burst: 1 },
  listTransactions: { perSecond: 0.5, burst: 10 },
  searchOrders: { perSecond: 0.0056, burst: 20 },
  getOrder: { perSecond: 0.5, burst: 30 },
  searchCatalogItems: { perSecond: 2, burst: 2 },
  createReport: { perSecond: 0.0167, burst: 15 },
  getReports: { perSecond: 0.0222, burst: 10 },
  getReport: { perSecond: 2, burst: 15 },
  getReportDocument: { perSecond: 0.0167, burst: 15 },
  createFeed: { perSecond: 0.0083, burst: 15 },
  getFeed: { perSecond: 2, burst: 15 },
  createFeedDocument: { perSecond: 0.5, burst: 15 },
  getFeedDocument: { perSecond: 0.0222, burst: 10 },
  ...Object.fromEntries(NOTIFICATIONS.map((operation) => [operation, { perSecond: 1, burst: 5 }])),
  getMarketplaceParticipations: { perSecond: 0.016, burst: 15 },
};

/** Amazon's Selling Partner API, as far as a repricer uses it. */
export function amazonAdapter(tools: AdapterContext): MarketplaceAdapter {
  const market = tools.world.market('amazon');
  const documents = new Documents(tools);
  const listings = new Listings(market, tools);
  const notifications = new Notifications(market, tools.world.queue);
  return {
    name: 'amazon',
    errorFormat: amazonErrorFormat,
    limits: LIMITS,
    register: (app) => {
      app.addHook('onSend', async (request, reply) => {
        reply.header('x-amzn-requestid', request.id);
      });
      addAuthRoutes(app, market);
      documents.register(app);
      app.register(async (calls) => {
        requireAuth(calls, market, 'notifications');
        notifications.registerGrantless(calls);
      });
      app.register(async (calls) => {
        requireAuth(calls, market, 'all');
        notifications.register(calls);
        listings.register(calls);
        addReports(calls, market, documents);
        addFeeds(calls, market, documents, listings);
        addOfferBatches(calls, market);
        addCompetitiveSummary(calls, market);
        addFeaturedPrice(calls, market);
        addFees(calls, market);
        addFinances(calls, market);
        addOrders(calls, market);
        addCatalog(calls, market);
        addSellers(calls);
      });
    },
  };
}

function addSellers(app: FastifyInstance): void {
  const path = '/sellers/v1/marketplaceParticipations';
  app.get(path, { config: { operation: 'getMarketplaceParticipations' } }, async () => ({
    payload: [
      {
        marketplace: {
          id: MARKETPLACE_ID,
          name: 'Amazon.com',
          countryCode: 'US',
          defaultCurrencyCode: 'USD',
          defaultLanguageCode: 'en_US',
          domainName: 'www.amazon.com',
        },
        participation: { isParticipating: true, hasSuspendedListings: false },
        storeName: 'Pricewright Sandbox',
      },
    ],
  }));
}
