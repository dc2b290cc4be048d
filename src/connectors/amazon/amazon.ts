import type { MarketplaceConnector, PriceOrder, SendOutcome } from '#connectors/connector.ts';
import { type AmazonOptions, createAmazonCalls } from './amazon-calls.ts';
import { shopOf } from './amazon-shop.ts';
import { rememberShares } from './buy-box-shares.ts';
import { checkConnection } from './check-connection.ts';
import { estimateFees } from './estimate-fees.ts';
import { FINAL_REFUSALS } from './final-refusals.ts';
import { feedPrices } from './price-feed.ts';
import { readFigures } from './read-figures.ts';
import { readListings } from './read-listings.ts';
import { readMoney } from './read-money.ts';
import { readOffers } from './read-offers.ts';
import { readPrices } from './read-prices.ts';
import { readSales } from './read-sales.ts';
import { SalesProgress } from './sales-progress.ts';
import { outcomeOf } from './send-outcome.ts';
import { patchPrices } from './send-prices.ts';
import { SettlementLooks } from './settlements.ts';

/**
 * From this many waiting prices on they are sent as one document. Amazon recommends it from 1,500 on; single calls,
 * which share their rate with read-backs, would take minutes for these, and for twice as many longer than a price
 * may wait.
 */
const FEED_FROM = 600;
/** This many listings are read, twenty at a time and four times a second, before the document must be sent. */
const MAX_FEED_SIZE = 1_000;
/** Several seconds' worth of single calls. */
const PATCH_BATCH_SIZE = 40;

/** Amazon, through its Selling Partner API. */
export function createAmazon(options: AmazonOptions): MarketplaceConnector {
  const calls = createAmazonCalls(options);
  const salesProgress = new SalesProgress();
  const settlementLooks = new SettlementLooks();
  const shares = rememberShares(calls);
  return {
    marketplace: 'amazon',
    finalRefusals: FINAL_REFUSALS,
    pricesAtOnce: (waiting, urgent) => {
      // A feed takes longer to be confirmed: urgent prices are sent by single calls before it, unless there are too
      // many.
      if (urgent > 0 && urgent < FEED_FROM) return Math.min(urgent, PATCH_BATCH_SIZE);
      const isFeed =
        waiting >= FEED_FROM && calls.left('createFeedDocument') > 0 && calls.left('createFeed') > 0;
      return Math.min(waiting, isFeed ? MAX_FEED_SIZE : PATCH_BATCH_SIZE);
    },
    check: async (account, signal) => checkConnection(calls, shopOf(account), signal),
    async *readListings(account, signal) {
      yield* readListings(calls, shopOf(account), signal);
    },
    async *readOffers(account, refs, signal) {
      yield* readOffers(calls, shopOf(account), refs, signal);
    },
    sendPrices: async (account, orders, signal) => {
      const send = orders.length > PATCH_BATCH_SIZE ? feedPrices : patchPrices;
      try {
        return await send(calls, shopOf(account), orders, signal);
      } catch (error) {
        return notSent(orders, error);
      }
    },
    readPrices: async (account, sent, signal) => readPrices(calls, shopOf(account), sent, signal),
    async *readSales(account, since, signal) {
      yield* readSales(calls, shopOf(account), salesProgress, since, signal);
    },
    async *estimateFees(account, queries, signal) {
      yield* estimateFees(calls, shopOf(account), queries, signal);
    },
    async *readMoney(account, window, signal) {
      yield* readMoney(calls, shopOf(account), settlementLooks, window, signal);
    },
    async *readFigures(account, refs, signal) {
      yield* readFigures(calls, shopOf(account), shares, refs, signal);
    },
  };
}

/** Errors before the first price: incomplete credentials. */
function notSent(orders: readonly PriceOrder[], error: unknown): SendOutcome[] {
  return orders.map((order) => outcomeOf(order, error));
}
