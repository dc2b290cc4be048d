import type { FastifyInstance } from 'fastify';
import { dollars } from '#sandbox/adapters/money.ts';
import { queryNumber, queryText } from '#sandbox/adapters/query.ts';
import type { MarketItem } from '#sandbox/world/item.ts';
import type { Market } from '#sandbox/world/market.ts';
import { michaelsRefusal, SUCCESS } from './michaels-errors.ts';

/** All listings, page by page. */
export function addListings(app: FastifyInstance, market: Market): void {
  app.get('/listing/all-listings', { config: { operation: 'listAllListings' } }, async (request) => {
    const limit = queryNumber(request, 'limit', 100, 100);
    const from = offsetOf(queryText(request, 'cursor'));
    if (!(limit >= 1) || from === null) throw michaelsRefusal(400);
    const items = market.items();
    const hasMore = from + limit < items.length;
    return {
      ...SUCCESS,
      data: {
        listings: items.slice(from, from + limit).map(listingView),
        nextCursor: hasMore ? Buffer.from(`from ${from + limit}`).toString('base64url') : null,
      },
    };
  });
}

function offsetOf(cursor: string | null): number | null {
  if (cursor === null) return 0;
  const [, offset] = /^from (\d{1,9})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  return offset === undefined ? null : Number(offset);
}

function listingView({ itemId, keys, sku, title, price, isActive }: MarketItem) {
  return {
    skuNumber: itemId,
    primarySkuNumber: keys.primarySkuNumber ?? itemId,
    sellerSkuNumber: sku,
    itemName: title,
    price: dollars(price),
    status: isActive ? 'ACTIVE' : 'INACTIVE',
  };
}
