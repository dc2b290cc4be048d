import type { FastifyInstance } from 'fastify';
import { cursorTo, indexOf, reportedPage } from '#sandbox/adapters/list-pages.ts';
import { dollars } from '#sandbox/adapters/money.ts';
import { queryNumber, queryText } from '#sandbox/adapters/query.ts';
import type { MarketItem } from '#sandbox/world/item.ts';
import type { Market } from '#sandbox/world/market.ts';
import { michaelsRefusal, SUCCESS } from './michaels-errors.ts';

/** All listings, page by page. */
export function addListings(app: FastifyInstance, market: Market): void {
  app.get('/listing/all-listings', { config: { operation: 'listAllListings' } }, async (request) => {
    const limit = queryNumber(request, 'limit', 100, 100);
    const from = indexOf(market, queryText(request, 'cursor'));
    if (!(limit >= 1) || from === null) throw michaelsRefusal(400);
    const items = market.itemsIn('list');
    const hasMore = from + limit < items.length;
    return {
      ...SUCCESS,
      data: {
        listings: reportedPage(market, items, from, limit).part.map(listingView),
        nextCursor: hasMore ? cursorTo(market, from + limit) : null,
      },
    };
  });
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
