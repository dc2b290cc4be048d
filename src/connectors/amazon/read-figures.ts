import { z } from 'zod';
import type { ListingFigures, ListingRef, UnreadListing } from '#connectors/connector.ts';
import { ConnectorError } from '#connectors/connector-error.ts';
import { type Bps, bps } from '#domain/units.ts';
import { jsonOf, read, Text } from './amazon-answers.ts';
import { type AmazonCalls, pathOf } from './amazon-calls.ts';
import { textOf } from './amazon-documents.ts';
import { readReport } from './amazon-reports.ts';
import type { AmazonShop } from './amazon-shop.ts';
import { slices } from './in-turns.ts';

const AT_ONCE = 20;
const DAY = 86_400_000;
/** Amazon's traffic is complete after three days; a week of it evens out. */
const BEHIND = 3;
const SPAN = 7;
const LARGEST_REPORT = 256 * 1_024 * 1_024;

const Rank = z.object({ title: Text, rank: z.int().min(1) });
const Catalogue = z.object({
  items: z.array(
    z.object({
      asin: z.string(),
      salesRanks: z
        .array(z.object({ marketplaceId: z.string(), displayGroupRanks: z.array(Rank).nullish() }))
        .nullish(),
    }),
  ),
});

const Traffic = z.object({
  salesAndTrafficByAsin: z.array(
    z.object({
      sku: Text.nullish(),
      trafficByAsin: z.object({ buyBoxPercentage: z.number().min(0).max(100).nullish() }).nullish(),
    }),
  ),
});

/** Sales ranks, and the share of the buy box over a week. Amazon tells no ratings. */
export async function* readFigures(
  calls: AmazonCalls,
  shop: AmazonShop,
  refs: readonly ListingRef[],
  signal: AbortSignal,
): AsyncGenerator<readonly (ListingFigures | UnreadListing)[]> {
  const shares = await readShares(calls, shop, signal);
  for (const slice of slices(refs, AT_ONCE)) {
    const ranks = await readRanks(calls, shop, slice, signal);
    yield slice.map((ref) => {
      const { listingId, itemId, sku } = ref;
      const rank = ranks.get(itemId ?? '') ?? null;
      const buyBoxShare = shares.get(sku) ?? null;
      if (itemId === null && buyBoxShare === null) {
        return { kind: 'unread', listingId, why: "Amazon's number of this listing is not known." };
      }
      return {
        ...{ kind: 'figures', listingId, reviewCount: null, averageRating: null, buyBoxShare },
        ...{ salesRank: rank?.rank ?? null, salesRankCategory: rank?.title ?? null },
      };
    });
  }
}

async function readRanks(
  calls: AmazonCalls,
  shop: AmazonShop,
  refs: readonly ListingRef[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, z.output<typeof Rank>>> {
  const identifiers = [...new Set(refs.flatMap(({ itemId }) => itemId ?? []))];
  if (identifiers.length === 0) return new Map();
  const path = pathOf('/catalog/2022-04-01/items', {
    ...{ identifiersType: 'ASIN', identifiers, marketplaceIds: shop.marketplaceId },
    ...{ includedData: 'salesRanks', pageSize: String(AT_ONCE) },
  });
  const answer = await calls.ask(shop, { method: 'GET', path, operation: 'catalog' }, signal);
  const { items } = read(Catalogue, answer.body, 'list of items');
  return new Map(
    items.flatMap(({ asin, salesRanks }) => {
      const here = salesRanks?.find(({ marketplaceId }) => marketplaceId === shop.marketplaceId);
      const first = here?.displayGroupRanks?.[0];
      return first === undefined ? [] : [[asin, first]];
    }),
  );
}

/** By SKU. Without the right for this report, or without the report, nothing is known; the ranks are read all the same. */
async function readShares(
  calls: AmazonCalls,
  shop: AmazonShop,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Bps>> {
  const day = (ago: number): string => new Date(calls.now() - ago * DAY).toISOString().slice(0, 10);
  const report = readReport(
    calls,
    shop,
    {
      reportType: 'GET_SALES_AND_TRAFFIC_REPORT',
      reportOptions: { dateGranularity: 'DAY', asinGranularity: 'SKU' },
      dataStartTime: day(BEHIND + SPAN - 1),
      dataEndTime: day(BEHIND),
    },
    signal,
  );
  try {
    const traffic = read(Traffic, jsonOf(await textOf(report, LARGEST_REPORT)), 'report of traffic');
    return new Map(
      traffic.salesAndTrafficByAsin.flatMap(({ sku, trafficByAsin }): [string, Bps][] => {
        const percent = trafficByAsin?.buyBoxPercentage;
        return sku == null || percent == null ? [] : [[sku, bps(Math.round(percent * 100))]];
      }),
    );
  } catch (error) {
    if (!(error instanceof ConnectorError) || error.fault === 'time' || error.fault === 'key') throw error;
    return new Map();
  }
}
