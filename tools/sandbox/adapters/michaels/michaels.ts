import type { FastifyInstance } from 'fastify';
import type { AdapterContext, LimitLine, MarketplaceAdapter } from '#sandbox/adapters/adapter.ts';
import { headerText } from '#sandbox/adapters/query.ts';
import type { Market } from '#sandbox/world/market.ts';
import { addListings } from './listings.ts';
import { claimsIn } from './michaels-key.ts';
import { MICHAELS_WORDS, michaelsRefusal } from './michaels-text.ts';
import { addOrders } from './orders.ts';
import { addPrices } from './prices.ts';

function aMinute(calls: number): LimitLine {
  return { perSecond: calls / 60, burst: calls };
}

/** What the marketplace's own tests expect. */
const LIMITS: Readonly<Record<string, LimitLine>> = {
  listAllListings: aMinute(60),
  getPricesBySellerSku: aMinute(20),
  publishPricesBySellerSku: aMinute(10),
  queryOrders: aMinute(60),
};

/** Michaels' marketplace, as far as programs that work with it let one see. */
export function michaelsAdapter(tools: AdapterContext): MarketplaceAdapter {
  const market = tools.world.market('michaels');
  return {
    name: 'michaels',
    words: MICHAELS_WORDS,
    limits: LIMITS,
    register: (app) => {
      keepGate(app, market);
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

/** Lets nobody in without a key that is still good by its own word. */
function keepGate(app: FastifyInstance, market: Market): void {
  app.addHook('preHandler', async (request) => {
    const claims = claimsIn(headerText(request, 'api-key'));
    if (claims === null || claims.exp * 1_000 <= market.now()) throw michaelsRefusal(401);
  });
}
