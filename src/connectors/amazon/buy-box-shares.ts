import { z } from 'zod';
import { ConnectorError } from '#connectors/connector-error.ts';
import { readableOf, tolerant } from '#connectors/passed-over.ts';
import { AMAZON_SHARE_WINDOW } from '#domain/competition/buy-box.ts';
import { type Bps, bps, type Instant } from '#domain/units.ts';
import type { AmazonCalls } from './amazon-calls.ts';
import { textOf } from './amazon-documents.ts';
import { readReport } from './amazon-reports.ts';
import { jsonOf, read, Text } from './amazon-responses.ts';
import type { AmazonShop } from './amazon-shop.ts';

const DAY = 86_400_000;
const LARGEST_REPORT = 256 * 1_024 * 1_024;
/** Milliseconds. The report gets a new day once a day; a failed request is repeated sooner. */
const GOOD_FOR = 6 * 3_600_000;
const MISSED_FOR = 3_600_000;

const Traffic = z.object({
  salesAndTrafficByAsin: z.array(
    tolerant(
      z.object({
        sku: Text.nullish(),
        trafficByAsin: z
          .object({ pageViews: z.number().nullish(), buyBoxPercentage: z.number().min(0).max(100).nullish() })
          .nullish(),
      }),
      'sku',
    ),
  ),
});

type Shares = ReadonlyMap<string, Bps>;

/** Shares of the buy box by SKU. */
export type BuyBoxShares = (shop: AmazonShop, signal: AbortSignal) => Promise<Shares>;

/**
 * Reads the traffic report of a store once for many listings: Amazon makes few, and takes minutes for each. Without
 * the permission for it, or without the report, the shares are unknown.
 * @throws ConnectorError only of faults "time" and "key"
 */
export function rememberShares(calls: AmazonCalls): BuyBoxShares {
  const held = new Map<
    string,
    { readonly shares: Shares; readonly from: Instant; readonly goodFor: number }
  >();
  return async (shop, signal) => {
    const key = `${shop.sellerId} ${shop.marketplaceId}`;
    const known = held.get(key);
    const now = calls.now();
    if (known !== undefined && now >= known.from && now < known.from + known.goodFor) return known.shares;
    const shares = await readShares(calls, shop, signal);
    const goodFor = shares === null ? MISSED_FOR : GOOD_FOR;
    held.set(key, { shares: shares ?? new Map(), from: calls.now(), goodFor });
    return shares ?? new Map();
  };
}

/** @returns null when Amazon does not give it */
async function readShares(calls: AmazonCalls, shop: AmazonShop, signal: AbortSignal): Promise<Shares | null> {
  const { days, endsDaysAgo } = AMAZON_SHARE_WINDOW;
  const day = (ago: number): string =>
    new Date(calls.now() - ago * DAY).toISOString().replace(/T.*/, 'T00:00:00Z');
  const report = readReport(
    calls,
    shop,
    {
      reportType: 'GET_SALES_AND_TRAFFIC_REPORT',
      reportOptions: { dateGranularity: 'DAY', asinGranularity: 'SKU' },
      dataStartTime: day(endsDaysAgo + days - 1),
      dataEndTime: day(endsDaysAgo),
    },
    signal,
  );
  try {
    const traffic = read(Traffic, jsonOf(await textOf(report, LARGEST_REPORT)), 'report of traffic');
    return new Map(
      readableOf(traffic.salesAndTrafficByAsin).flatMap(({ sku, trafficByAsin }): [string, Bps][] => {
        const percent = trafficByAsin?.buyBoxPercentage;
        // Amazon writes 0% where there were no page views: the share is unknown.
        const isSeen = percent !== 0 || (trafficByAsin?.pageViews ?? 0) > 0;
        return sku == null || percent == null || !isSeen ? [] : [[sku, bps(Math.round(percent * 100))]];
      }),
    );
  } catch (error) {
    if (!(error instanceof ConnectorError) || error.fault === 'time' || error.fault === 'key') throw error;
    return null;
  }
}
