import type { FastifyInstance } from 'fastify';
import { queryList, queryText } from '#sandbox/adapters/query.ts';
import type { MarketItem } from '#sandbox/world/item.ts';
import type { Market } from '#sandbox/world/market.ts';
import { MARKETPLACE_ID, requireMarketplace } from './amazon-auth.ts';
import { amazonRefusal } from './amazon-errors.ts';
import { productTypeOf } from './listing-view.ts';

const IMAGE_SIZE = 500;
const MAX_IDENTIFIERS = 20;

/** searchCatalogItems of the Catalog Items API, 2022-04-01, by identifiers. */
export function addCatalog(app: FastifyInstance, market: Market): void {
  app.get('/catalog/2022-04-01/items', { config: { operation: 'searchCatalogItems' } }, async (request) => {
    requireMarketplace(request);
    const identifiers = queryList(request, 'identifiers');
    const type = queryText(request, 'identifiersType');
    if (
      identifiers.length === 0 ||
      identifiers.length > MAX_IDENTIFIERS ||
      (type !== 'ASIN' && type !== 'SKU')
    ) {
      throw amazonRefusal(400, 'Between 1 and 20 identifiers and their type ASIN or SKU are needed.');
    }
    const named = new Set(identifiers);
    const found = market.items().filter(({ itemId, sku }) => named.has(type === 'ASIN' ? itemId : sku));
    const items = [...new Map(found.map((item) => [item.itemId, item])).values()];
    const included = queryList(request, 'includedData');
    const parts = new Set(included.length === 0 ? ['summaries'] : included);
    return { numberOfResults: items.length, items: items.map((item) => catalogView(item, parts)) };
  });
}

function catalogView(item: MarketItem, included: ReadonlySet<string>) {
  const marketplaceId = MARKETPLACE_ID;
  const { itemId, title, brand, category, imageUrl, salesRank } = item;
  const image = { variant: 'MAIN', link: imageUrl ?? '', height: IMAGE_SIZE, width: IMAGE_SIZE };
  const group = { websiteDisplayGroup: `${category.toLowerCase()}_display_on_website`, title: category };
  const parts = {
    summaries: [{ marketplaceId, brand, itemName: title, itemClassification: 'BASE_PRODUCT' }],
    images: [{ marketplaceId, images: imageUrl === null ? [] : [image] }],
    salesRanks: [{ marketplaceId, displayGroupRanks: [{ ...group, rank: salesRank }] }],
    productTypes: [{ marketplaceId, productType: productTypeOf(item) }],
  };
  return {
    asin: itemId,
    ...Object.fromEntries(Object.entries(parts).filter(([name]) => included.has(name))),
  };
}
