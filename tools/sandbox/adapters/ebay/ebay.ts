import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { AdapterContext, LimitLine, MarketplaceAdapter } from '#sandbox/adapters/adapter.ts';
import { callsPerDay } from '#sandbox/adapters/call-limits.ts';
import { queryText } from '#sandbox/adapters/query.ts';
import { nextPacificMidnight } from '#sandbox/world/pacific-day.ts';
import { addBrowse } from './browse.ts';
import { addAuthRoutes, requireAuth } from './ebay-auth.ts';
import { addConsent } from './ebay-consent.ts';
import { EBAY_ERROR_FORMAT } from './ebay-errors.ts';
import { addFinances, addPayouts } from './finances.ts';
import { addInventory } from './inventory.ts';
import { addInventoryReport } from './inventory-report.ts';
import { addMarkdownSales } from './markdown-sales.ts';
import { addMigration } from './migration.ts';
import { addOrders } from './orders.ts';
import { PriceUpdates } from './price-updates.ts';
import { addTaxonomy } from './taxonomy.ts';
import { addTrading, tradingCallOf } from './trading/trading.ts';

const DAY_SECONDS = 86_400;

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
  // All Trading calls share one limit.
  tradingCalls: 5_000,
} as const;

/** eBay's selling and browsing APIs, as far as a repricer uses them. */
export function ebayAdapter(tools: AdapterContext): MarketplaceAdapter {
  const market = tools.world.market('ebay');
  const prices = new PriceUpdates(market, tools);
  const limits = Object.entries(CALLS_PER_DAY).map(([name, calls]): [string, LimitLine] => [
    name,
    callsPerDay(calls),
  ]);
  return {
    name: 'ebay',
    errorFormat: EBAY_ERROR_FORMAT,
    operationOf: tradingCallOf,
    limits: Object.fromEntries(limits),
    register: (app) => {
      addAuthRoutes(app, market);
      addConsent(app, market, tools);
      addTrading(app, market, tools);
      app.register(async (sellers) => {
        requireAuth(sellers, market, false);
        addInventory(sellers, market, tools);
        prices.register(sellers);
        addMigration(sellers, market);
        addMarkdownSales(sellers, market);
        addOrders(sellers, market, tools);
        addFinances(sellers, market, tools);
        addPayouts(sellers, market, tools);
        addInventoryReport(sellers, market, tools);
      });
      app.register(async (buyers) => {
        requireAuth(buyers, market, true);
        addBrowse(buyers, market, tools);
        addTaxonomy(buyers);
        tools.accountDeletion.register(buyers);
        addRateLimits(buyers, tools);
      });
    },
  };
}

/** The limits that eBay reports, by the API that they count for, and the calls that share one. */
const REPORTED_LIMITS: readonly {
  readonly apiContext: string;
  readonly apiName: string;
  readonly resource: string;
  readonly calls: readonly (keyof typeof CALLS_PER_DAY)[];
}[] = [
  { apiContext: 'buy', apiName: 'browse', resource: 'buy.browse', calls: ['search', 'getItemByLegacyId'] },
  {
    apiContext: 'sell',
    apiName: 'inventory',
    resource: 'sell.inventory',
    calls: ['getInventoryItems', 'getOffers', 'getOffer', 'bulkUpdatePriceQuantity'],
  },
  { apiContext: 'sell', apiName: 'fulfillment', resource: 'sell.fulfillment', calls: ['getOrders'] },
  {
    apiContext: 'tradingapi',
    apiName: 'TradingAPI',
    resource: 'ReviseInventoryStatus',
    calls: ['tradingCalls'],
  },
];

/** The application's daily limits and what is left of them. */
function addRateLimits(app: FastifyInstance, tools: AdapterContext): void {
  const view = (request: FastifyRequest) => {
    const reset = new Date(nextPacificMidnight(tools.world.now())).toISOString();
    const [context, name] = [queryText(request, 'api_context'), queryText(request, 'api_name')];
    const rateOf = (operation: keyof typeof CALLS_PER_DAY) => {
      const limit = CALLS_PER_DAY[operation];
      const remaining = tools.callsLeft(operation) ?? limit;
      return { count: limit - remaining, limit, remaining, reset, timeWindow: DAY_SECONDS };
    };
    const reported = REPORTED_LIMITS.filter(
      ({ apiContext, apiName }) =>
        (context === null || apiContext === context) && (name === null || apiName === name),
    );
    return {
      rateLimits: reported.map(({ apiContext, apiName, resource, calls }) => {
        // What is left for the call that was made most.
        const [least] = calls.map(rateOf).toSorted((one, other) => one.remaining - other.remaining);
        return { apiContext, apiName, apiVersion: 'v1', resources: [{ name: resource, rates: [least] }] };
      }),
    };
  };
  const base = '/developer/analytics/v1_beta';
  app.get(`${base}/rate_limit/`, { config: { operation: 'getRateLimits' } }, async (request) =>
    view(request),
  );
  app.get(`${base}/user_rate_limit/`, { config: { operation: 'getUserRateLimits' } }, async (request) =>
    view(request),
  );
}
