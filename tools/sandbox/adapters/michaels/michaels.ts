import type { FastifyInstance } from 'fastify';
import type { AdapterContext, LimitLine, MarketplaceAdapter } from '#sandbox/adapters/adapter.ts';
import { headerText } from '#sandbox/adapters/query.ts';
import type { Market } from '#sandbox/world/market.ts';
import { addListings } from './listings.ts';
import { MICHAELS_ERROR_FORMAT, michaelsRefusal } from './michaels-errors.ts';
import { claimsIn } from './michaels-key.ts';
import { addOrders } from './orders.ts';
import { addPrices } from './prices.ts';

function perMinute(calls: number): LimitLine {
  return { perSecond: calls / 60, burst: calls };
}

/** The limits that the marketplace's own tests expect. */
const LIMITS: Readonly<Record<string, LimitLine>> = {
  listAllListings: perMinute(60),
  getPricesBySellerSku: perMinute(20),
  publishPricesBySellerSku: perMinute(10),
  queryOrders: perMinute(60),
};

/** Michaels' marketplace API, reconstructed from public client programs. */
export function michaelsAdapter(tools: AdapterContext): MarketplaceAdapter {
  const market = tools.world.market('michaels');
  return {
    name: 'michaels',
    errorFormat: MICHAELS_ERROR_FORMAT,
    limits: LIMITS,
    register: (app) => {
      requireApiKey(app, market);
      app.register(
        async (calls) => {
          addListings(calls, market);
          addPrices(calls, market, tools);
          addOrders(calls, market);
        },
        { prefix: '/api/mkp/v1' },
      );
    },
  };
}

/** Requires an API key whose own expiry is not past. */
function requireApiKey(app: FastifyInstance, market: Market): void {
  app.addHook('preHandler', async (request) => {
    const claims = claimsIn(headerText(request, 'api-key'));
    if (claims === null || claims.exp * 1_000 <= market.now()) throw michaelsRefusal(401);
  });
}
