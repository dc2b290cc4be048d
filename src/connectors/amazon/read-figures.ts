import { z } from 'zod';
import type { ListingFigures, ListingRef, UnavailableListing } from '#connectors/connector.ts';
import { chunks } from '#connectors/map-limited.ts';
import { isUnreadable, tolerant, type UnreadableRow } from '#connectors/passed-over.ts';
import { type AmazonCalls, pathOf } from './amazon-calls.ts';
import { read, Text } from './amazon-responses.ts';
import type { AmazonShop } from './amazon-shop.ts';
import type { BuyBoxShares } from './buy-box-shares.ts';

const ITEMS_PER_CALL = 20;

const Rank = z.object({ title: Text, rank: z.int().min(1) });
const CatalogItems = z.object({
  items: z.array(
    tolerant(
      z.object({
        asin: z.string(),
        salesRanks: z
          .array(z.object({ marketplaceId: z.string(), displayGroupRanks: z.array(Rank).nullish() }))
          .nullish(),
      }),
      'asin',
    ),
  ),
});

/** Sales ranks, and the share of the buy box over a week. Amazon provides no ratings. */
export async function* readFigures(
  calls: AmazonCalls,
  shop: AmazonShop,
  sharesOf: BuyBoxShares,
  refs: readonly ListingRef[],
  signal: AbortSignal,
): AsyncGenerator<readonly (ListingFigures | UnavailableListing)[]> {
  const shares = await sharesOf(shop, signal);
  for (const slice of chunks(refs, ITEMS_PER_CALL)) {
    const ranks = await readRanks(calls, shop, slice, signal);
    yield slice.map((ref) => {
      const { listingId, itemId, sku } = ref;
      const rank = ranks.get(itemId ?? '') ?? null;
      if (rank !== null && isUnreadable(rank)) {
        const why = `Amazon's answer about this item cannot be read: ${rank.member} is "${rank.value}".`;
        return { kind: 'unread', listingId, why, row: rank };
      }
      const buyBoxShare = shares.get(sku) ?? null;
      if (itemId === null && buyBoxShare === null) {
        return { kind: 'unread', listingId, why: "Amazon's number of this listing is not known." };
      }
      return {
        kind: 'figures',
        listingId,
        reviewCount: null,
        averageRating: null,
        buyBoxShare,
        salesRank: rank?.rank ?? null,
        salesRankCategory: rank?.title ?? null,
      };
    });
  }
}

async function readRanks(
  calls: AmazonCalls,
  shop: AmazonShop,
  refs: readonly ListingRef[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, z.output<typeof Rank> | UnreadableRow>> {
  const identifiers = [...new Set(refs.flatMap(({ itemId }) => itemId ?? []))];
  if (identifiers.length === 0) return new Map();
  const path = pathOf('/catalog/2022-04-01/items', {
    identifiersType: 'ASIN',
    identifiers,
    marketplaceIds: shop.marketplaceId,
    includedData: 'salesRanks',
    pageSize: String(ITEMS_PER_CALL),
  });
  const answer = await calls.ask(shop, { method: 'GET', path, operation: 'catalog' }, signal);
  const { items } = read(CatalogItems, answer.body, 'list of items');
  return new Map(
    items.flatMap((item): [string, z.output<typeof Rank> | UnreadableRow][] => {
      if (isUnreadable(item)) return [[item.what, item]];
      const { asin, salesRanks } = item;
      const here = salesRanks?.find(({ marketplaceId }) => marketplaceId === shop.marketplaceId);
      const first = here?.displayGroupRanks?.[0];
      return first === undefined ? [] : [[asin, first]];
    }),
  );
}
