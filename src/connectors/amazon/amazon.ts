import type { MarketplaceConnector, PriceOrder, SendOutcome } from '#connectors/connector.ts';
import { type AmazonCalls, type AmazonOptions, createAmazonCalls } from './amazon-calls.ts';
import { type AmazonShop, shopOf } from './amazon-shop.ts';
import { rememberShares } from './buy-box-shares.ts';
import { checkConnection } from './check-connection.ts';
import { estimateFees } from './estimate-fees.ts';
import { readFeaturedPrices } from './featured-prices.ts';
import { FeedResults } from './feed-results.ts';
import { FINAL_REFUSALS } from './final-refusals.ts';
import { feedPrices } from './price-feed.ts';
import { readBusinessWay, withoutBusiness } from './prove-business.ts';
import { knownWay } from './prove-merge.ts';
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
/** Milliseconds without documents after one could not be sent because merges are not proven. */
const NO_FEED_FOR = 60_000;

/** Amazon, through its Selling Partner API. */
export function createAmazon(options: AmazonOptions): MarketplaceConnector {
  const calls = createAmazonCalls(options);
  const salesProgress = new SalesProgress();
  const settlementLooks = new SettlementLooks();
  const shares = rememberShares(calls);
  const feedResults = new FeedResults(calls);
  /** Of an account that is not known to take merges. */
  let noFeedUntil = Number.NEGATIVE_INFINITY;
  return {
    marketplace: 'amazon',
    finalRefusals: FINAL_REFUSALS,
    itemReads: { callsPerSecond: 4, listingsPerCall: 1 },
    pricesAtOnce: (waiting, urgent) => {
      // A feed takes longer to be confirmed: urgent prices are sent by single calls before it, unless there are too
      // many.
      if (urgent > 0 && urgent < FEED_FROM) return Math.min(urgent, PATCH_BATCH_SIZE);
      const isFeed =
        waiting >= FEED_FROM &&
        calls.now() >= noFeedUntil &&
        calls.left('createFeedDocument') > 0 &&
        calls.left('createFeed') > 0;
      return Math.min(waiting, isFeed ? MAX_FEED_SIZE : PATCH_BATCH_SIZE);
    },
    check: async (account, signal) => checkConnection(calls, shopOf(account), signal),
    async *readListings(account, signal) {
      return yield* readListings(calls, shopOf(account), signal);
    },
    async *readOffers(account, refs, signal) {
      yield* readOffers(calls, shopOf(account), refs, signal);
    },
    async *readFeaturedPrices(account, refs, signal) {
      yield* readFeaturedPrices(calls, shopOf(account), refs, signal);
    },
    sendPrices: async (account, orders, signal) => {
      try {
        const shop = shopOf(account);
        if (orders.length <= PATCH_BATCH_SIZE) return await patchPrices(calls, shop, orders, signal);
        return await sendMany(calls, shop, orders, signal, () => {
          noFeedUntil = calls.now() + NO_FEED_FOR;
        });
      } catch (error) {
        return notSent(orders, error);
      }
    },
    readPrices: async (account, sent, signal) =>
      readPrices(calls, feedResults, shopOf(account), sent, signal),
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

/**
 * Many prices go as one document, if the account is known to take merges: what a search shows is too old to be sent back.
 * Otherwise the first ones go one by one, and the others with the next call.
 * @param onNoFeed called where no document was sent
 */
async function sendMany(
  calls: AmazonCalls,
  shop: AmazonShop,
  orders: readonly PriceOrder[],
  signal: AbortSignal,
  onNoFeed: () => void,
): Promise<SendOutcome[]> {
  const way = await knownWay(calls, shop, signal);
  const isFollowing = way?.op === 'merge' && orders.some(({ business }) => business != null);
  const isProven = isFollowing && (await readBusinessWay(calls, shop, signal)) === 'proven';
  if (way?.op === 'merge') {
    const sent = isProven ? orders : orders.map(withoutBusiness);
    return feedPrices(calls, shop, sent, way, signal);
  }
  onNoFeed();
  const sent = await patchPrices(calls, shop, orders.slice(0, PATCH_BATCH_SIZE), signal);
  return [...sent, ...orders.slice(PATCH_BATCH_SIZE).map(waitsForNextCall)];
}

function waitsForNextCall({ ref: { listingId } }: PriceOrder): SendOutcome {
  const message = 'Prices for Amazon are sent one by one until it is known how this account takes them.';
  return { listingId, kind: 'not_sent', message, retryAfter: null, othersMayGo: true };
}

/** Errors before the first price, which are about none of them: incomplete credentials. */
function notSent(orders: readonly PriceOrder[], error: unknown): SendOutcome[] {
  return orders.map((order) => outcomeOf(order, error, false));
}
