import type { Account, ConnectionReport, MarketplaceConnector } from '#connectors/connector.ts';
import { ConnectorError } from '#connectors/connector-error.ts';
import { parseResponse } from '#connectors/parse-response.ts';
import { FeedResults } from './feed-results.ts';
import { FINAL_REFUSALS } from './final-refusals.ts';
import { PricesSetElsewhere } from './price-set-elsewhere.ts';
import { PromotionRounds } from './promotion-rounds.ts';
import { SinglePrices } from './single-prices.ts';
import { createCalls, NAME, type WalmartCalls, type WalmartOptions } from './walmart-calls.ts';
import { readFigures } from './walmart-figures.ts';
import { readListings } from './walmart-listings.ts';
import { ReconLooks, readMoney } from './walmart-money.ts';
import { readOffers } from './walmart-offers.ts';
import { checkItems, mayReadInsights } from './walmart-pages.ts';
import { readPrices } from './walmart-read-back.ts';
import { TokenDetail } from './walmart-responses.ts';
import { readSales } from './walmart-sales.ts';
import { MAX_SINGLE_SENDS, sendPrices } from './walmart-send.ts';

/** The permissions that Pricewright needs, by Walmart's names. */
const RIGHTS = { item: 'items', price: 'prices', feeds: 'feeds', orders: 'orders', reports: 'reports' };
const WRITES = new Set(['price', 'feeds']);
const NO_INSIGHTS =
  "The key has no right to Walmart's pricing insights. Without them only prices that end a loss by a raise are sent. Grant the permission for insights in the developer portal.";

/**
 * Prices of one feed. Walmart takes 10,000 and recommends 1,000: larger ones take longer. They are worth it while feeds of
 * that size would take more than an hour: https://developer.walmart.com/api/us/mp/price#operation/priceBulkUploads
 */
const FEED = 1_000;
const LARGE_FEED = 5_000;
const MANY_WAIT = 8_000;

/** Its list of insights, and its report of buy boxes, has all items: more than the largest catalogs that are repriced. */
const LISTINGS_AT_ONCE = 100_000;

/** Walmart Marketplace in the United States. */
export function createWalmart(options: WalmartOptions): MarketplaceConnector {
  const calls = createCalls(options);
  const reconLooks = new ReconLooks();
  const promotions = new PromotionRounds();
  let waitingNow = 0;
  const checks = new PricesSetElsewhere(calls);
  const feedResults = new FeedResults(calls);
  const singles = new SinglePrices(calls.now);
  return {
    marketplace: 'walmart',
    finalRefusals: FINAL_REFUSALS,
    itemReads: { callsPerSecond: 4, listingsPerCall: 1 },
    pricesAtOnce: (checked) => Math.min(checked, waitingNow > MANY_WAIT ? LARGE_FEED : FEED),
    check: (account, signal) => check(calls, account, signal),
    readListings: (account, signal) => readListings(calls, promotions, account, signal),
    listingsAtOnce: LISTINGS_AT_ONCE,
    readOffers: (account, refs, signal) => readOffers(calls, checks, account, refs, signal),
    prepareToSend: async (account, waiting, signal) => {
      waitingNow = waiting;
      const isReady = waiting <= MAX_SINGLE_SENDS || (await checks.scan(account, signal));
      await checks.keep(account);
      return isReady;
    },
    sendPrices: async (account, orders, signal) => {
      const outcomes = await sendPrices(calls, checks, singles, account, orders, signal);
      // Where that fails, the next call keeps it: the outcomes must not be lost.
      await checks.keep(account).catch(() => undefined);
      return outcomes;
    },
    readPrices: (account, sent, signal) => readPrices(calls, feedResults, account, sent, signal),
    readSales: (account, since, signal) => readSales(calls, account, since, signal),
    readMoney: (account, window, signal) => readMoney(calls, account, reconLooks, window, signal),
    readFigures: (account, refs, signal) => readFigures(calls, account, refs, signal),
  };
}

async function check(calls: WalmartCalls, account: Account, signal: AbortSignal): Promise<ConnectionReport> {
  await checkItems(calls, account, signal);
  const notes = await missingRights(calls, account, signal);
  // The detail of the token does not name it, and without it hardly any price is sent.
  if ((await mayReadInsights(calls, account, signal)) === false) notes.push(NO_INSIGHTS);
  return { shopName: null, notes, endsAt: null };
}

/** The missing permissions of the key, as far as Walmart reports them. */
async function missingRights(calls: WalmartCalls, account: Account, signal: AbortSignal): Promise<string[]> {
  const path = '/v3/token/detail';
  const call = { method: 'GET', path, operation: 'token', alsoAnswers: [400, 403, 404] } as const;
  try {
    const answer = await calls.ask(account, call, signal);
    const { scopes } = parseResponse(NAME, TokenDetail, answer, 'detail of a token');
    return Object.entries(RIGHTS).flatMap(([right, label]) => {
      const access = scopes?.[right];
      if (access === 'no_access') return [`The key has no right to Walmart's ${label}.`];
      const isShort = access === 'view_only' && WRITES.has(right);
      return isShort ? [`The key can read Walmart's ${label} but not change them.`] : [];
    });
  } catch (error) {
    // The store responds; the permissions of the key are optional information.
    if (error instanceof ConnectorError && error.fault !== 'time') return [];
    throw error;
  }
}
