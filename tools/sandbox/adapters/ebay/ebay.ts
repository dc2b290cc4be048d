import type { FastifyInstance } from 'fastify';
import type { AdapterContext, LimitLine, MarketplaceAdapter } from '#sandbox/adapters/adapter.ts';
import type { World } from '#sandbox/world/world.ts';
import { addBrowse } from './browse.ts';
import { addAuthRoutes, requireAuth } from './ebay-auth.ts';
import { addConsent } from './ebay-consent.ts';
import { EBAY_ERROR_FORMAT } from './ebay-errors.ts';
import { addFinances, addPayouts } from './finances.ts';
import { addInventory } from './inventory.ts';
import { addInventoryReport } from './inventory-report.ts';
import { addOrders } from './orders.ts';
import { PriceUpdates } from './price-updates.ts';
import { addTaxonomy } from './taxonomy.ts';

const DAY_SECONDS = 86_400;
const DAY = DAY_SECONDS * 1_000;

/** Daily call limits of an application. */
const CALLS_PER_DAY = {
  ebayToken: 50_000,
  search: 5_000,
  getItemByLegacyId: 5_000,
  getInventoryItems: 2_000_000,
  getOffers: 2_000_000,
  getOffer: 2_000_000,
  bulkUpdatePriceQuantity: 2_000_000,
  getOrders: 100_000,
  createInventoryTask: 100_000,
  getTransactions: 86_400,
  getDefaultCategoryTreeId: 5_000,
  getCategoryTree: 5_000,
} as const;

/** eBay's selling and browsing APIs, as far as a repricer uses them. */
export function ebayAdapter(tools: AdapterContext): MarketplaceAdapter {
  const market = tools.world.market('ebay');
  const prices = new PriceUpdates(market, tools);
  const limits = Object.entries(CALLS_PER_DAY).map(([name, calls]): [string, LimitLine] => [
    name,
    { perSecond: calls / DAY_SECONDS, burst: calls },
  ]);
  return {
    name: 'ebay',
    errorFormat: EBAY_ERROR_FORMAT,
    limits: Object.fromEntries(limits),
    register: (app) => {
      addAuthRoutes(app, market);
      addConsent(app, market, tools);
      app.register(async (sellers) => {
        requireAuth(sellers, market, false);
        addInventory(sellers, market, tools);
        prices.register(sellers);
        addOrders(sellers, market, tools);
        addFinances(sellers, market, tools);
        addPayouts(sellers, market, tools);
        addInventoryReport(sellers, market, tools);
      });
      app.register(async (buyers) => {
        requireAuth(buyers, market, true);
        addBrowse(buyers, market, tools);
        addTaxonomy(buyers);
        addRateLimits(buyers, tools.world);
      });
    },
  };
}

/** The application's daily limits; always reported as unused. */
function addRateLimits(app: FastifyInstance, world: World): void {
  const view = () => {
    const reset = new Date((Math.floor(world.now() / DAY) + 1) * DAY).toISOString();
    const rate = (limit: number) => ({ count: 0, limit, remaining: limit, reset, timeWindow: DAY_SECONDS });
    const resource = (name: string, limit: number) => ({ name, rates: [rate(limit)] });
    return {
      rateLimits: [
        {
          apiContext: 'buy',
          apiName: 'browse',
          apiVersion: 'v1',
          resources: [resource('buy.browse', CALLS_PER_DAY.search)],
        },
        {
          apiContext: 'sell',
          apiName: 'inventory',
          apiVersion: 'v1',
          resources: [resource('sell.inventory', CALLS_PER_DAY.getOffers)],
        },
        {
          apiContext: 'sell',
          apiName: 'fulfillment',
          apiVersion: 'v1',
          resources: [resource('sell.fulfillment', CALLS_PER_DAY.getOrders)],
        },
      ],
    };
  };
  const base = '/developer/analytics/v1_beta';
  app.get(`${base}/rate_limit/`, { config: { operation: 'getRateLimits' } }, async () => view());
  app.get(`${base}/user_rate_limit/`, { config: { operation: 'getUserRateLimits' } }, async () => view());
}
