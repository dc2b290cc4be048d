import type { FastifyInstance } from 'fastify';
import type { AdapterContext, LimitLine, MarketplaceAdapter } from '#sandbox/adapters/adapter.ts';
import type { World } from '#sandbox/world/world.ts';
import { addBrowse } from './browse.ts';
import { addConsent } from './ebay-consent.ts';
import { addAuthRoutes, requireAuth } from './ebay-gate.ts';
import { EBAY_WORDS } from './ebay-text.ts';
import { addInventory } from './inventory.ts';
import { addInventoryReport } from './inventory-report.ts';
import { addOrders } from './orders.ts';
import { PriceUpdates } from './price-updates.ts';

const DAY_SECONDS = 86_400;
const DAY = DAY_SECONDS * 1_000;

/** Calls a day of an application. */
const A_DAY = {
  ebayToken: 50_000,
  search: 5_000,
  getItemByLegacyId: 5_000,
  getInventoryItems: 2_000_000,
  getOffers: 2_000_000,
  getOffer: 2_000_000,
  bulkUpdatePriceQuantity: 2_000_000,
  getOrders: 100_000,
  createInventoryTask: 100_000,
} as const;

/** eBay's selling and browsing APIs, as far as a repricer uses them. */
export function ebayAdapter(tools: AdapterContext): MarketplaceAdapter {
  const market = tools.world.market('ebay');
  const prices = new PriceUpdates(market, tools);
  const limits = Object.entries(A_DAY).map(([name, calls]): [string, LimitLine] => [
    name,
    { perSecond: calls / DAY_SECONDS, burst: calls },
  ]);
  return {
    name: 'ebay',
    words: EBAY_WORDS,
    limits: Object.fromEntries(limits),
    register: (app) => {
      addAuthRoutes(app, market);
      addConsent(app, market, tools);
      app.register(async (sellers) => {
        requireAuth(sellers, market, false);
        addInventory(sellers, market, tools);
        prices.register(sellers);
        addOrders(sellers, market, tools);
        addInventoryReport(sellers, market, tools);
      });
      app.register(async (buyers) => {
        requireAuth(buyers, market, true);
        addBrowse(buyers, market, tools);
        addRateLimits(buyers, tools.world);
      });
    },
  };
}

/** What an application may do in a day. Here everything is always left. */
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
          resources: [resource('buy.browse', A_DAY.search)],
        },
        {
          apiContext: 'sell',
          apiName: 'inventory',
          apiVersion: 'v1',
          resources: [resource('sell.inventory', A_DAY.getOffers)],
        },
        {
          apiContext: 'sell',
          apiName: 'fulfillment',
          apiVersion: 'v1',
          resources: [resource('sell.fulfillment', A_DAY.getOrders)],
        },
      ],
    };
  };
  const base = '/developer/analytics/v1_beta';
  app.get(`${base}/rate_limit/`, { config: { operation: 'getRateLimits' } }, async () => view());
  app.get(`${base}/user_rate_limit/`, { config: { operation: 'getUserRateLimits' } }, async () => view());
}
