import type { AdapterContext, MarketplaceAdapter } from '#sandbox/adapters/adapter.ts';
import { addAuthRoutes, countCalls, etsyDay, requireApiKey, requireAuth } from './etsy-auth.ts';
import { addConsent } from './etsy-consent.ts';
import { ETSY_ERROR_FORMAT } from './etsy-errors.ts';
import { addLedger } from './ledger.ts';
import { addOwnListings, addPublicListings } from './listings.ts';
import { addReceipts } from './receipts.ts';
import { addSelf, addShops } from './shops.ts';

/** Etsy's Open API v3, as far as a repricer uses it. */
export function etsyAdapter(tools: AdapterContext): MarketplaceAdapter {
  const market = tools.world.market('etsy');
  const day = etsyDay(tools.world.now);
  return {
    name: 'etsy',
    errorFormat: ETSY_ERROR_FORMAT,
    // Etsy counts all calls together: see countCalls.
    limits: {},
    countElsewhere: (calls) => day.use(calls),
    register: (app) => {
      addAuthRoutes(app, market);
      addConsent(app, market, tools);
      app.register(async (calls) => {
        countCalls(calls, tools.world.now, tools.keepsLimits, day);
        requireApiKey(calls);
        addShops(calls, market);
        addPublicListings(calls, market);
        calls.register(async (own) => {
          requireAuth(own, market);
          addSelf(own);
          addOwnListings(own, market, tools);
          addReceipts(own, market);
          addLedger(own, market);
        });
      });
    },
  };
}
