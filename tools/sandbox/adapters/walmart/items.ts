import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { reportedPage } from '#sandbox/adapters/list-pages.ts';
import { dollars, dollarText } from '#sandbox/adapters/money.ts';
import { pathText, queryNumber, queryText } from '#sandbox/adapters/query.ts';
import type { MarketItem } from '#sandbox/world/item.ts';
import type { Market } from '#sandbox/world/market.ts';
import { Scrolls } from './scrolls.ts';
import { refuseEmpty, walmartRefusal } from './walmart-errors.ts';

const START = '*';

/** The kinds of ID by which a single item can be requested. */
const IDS: Readonly<Record<string, (item: MarketItem) => string | undefined>> = {
  SKU: ({ sku }) => sku,
  ITEM_ID: ({ itemId }) => itemId,
  GTIN: ({ keys }) => keys.gtin,
  UPC: ({ keys }) => keys.upc,
};

const Search = z.looseObject({
  query: z.looseObject({ field: z.enum(['sku', 'itemId', 'productName']), value: z.string() }).optional(),
});

/** The item list, the catalog search, and listing quality. */
export function addItems(app: FastifyInstance, market: Market): void {
  const scrolls = new Scrolls(market);
  app.get('/v3/items', { config: { operation: 'getAllItems' } }, async (request) => {
    const sku = queryText(request, 'sku');
    const wanted = market.itemsIn('list').filter((item) => sku === null || item.sku === sku);
    refuseEmpty(market, 'getAllItems', wanted.length);
    const cursor = queryText(request, 'nextCursor');
    const page =
      cursor === null
        ? { ...pageOf(request, market, wanted, 20, 200), next: null }
        : scrolls.page(cursor, wanted, sizeOf(request, 20, 200));
    if (page === null) throw walmartRefusal(400, 'The cursor is not valid.', 'nextCursor');
    return {
      ItemResponse: page.part.map(itemView),
      totalItems: page.total,
      ...(page.next === null ? {} : { nextCursor: page.next }),
    };
  });
  app.get('/v3/items/:id', { config: { operation: 'getAnItem' } }, async (request) => {
    const named = IDS[queryText(request, 'productIdType') ?? ''];
    if (named === undefined) throw walmartRefusal(400, 'The kind of number is not valid.', 'productIdType');
    const id = pathText(request, 'id');
    const item = market.find((one) => named(one) === id);
    if (item === null) throw walmartRefusal(404, 'There is no such item.', 'id');
    return { responseRecord: itemView(market.seenIn('item', item)) };
  });
  app.post('/v3/items/catalog/search', { config: { operation: 'getCatalogSearch' } }, async (request) => {
    const wanted = searched(market, request);
    refuseEmpty(market, 'getCatalogSearch', wanted.length);
    const page = pageOf(request, market, wanted, 20, 200);
    return {
      status: 'OK',
      payload: page.part.map(catalogView),
      totalItems: page.total,
      limit: page.size,
      ...(page.next === null ? {} : { nextCursor: page.next }),
    };
  });
  const quality = '/v3/insights/items/listingQuality/items';
  app.post(quality, { config: { operation: 'itemsDetailsForListing' } }, async (request) => {
    const wanted = searched(market, request);
    refuseEmpty(market, 'itemsDetailsForListing', wanted.length);
    const page = pageOf(request, market, wanted, 200, 200);
    return {
      status: 'OK',
      payload: page.part.map(qualityView),
      totalItems: String(page.total),
      ...(page.next === null ? {} : { nextCursor: page.next }),
    };
  });
}

function searched(market: Market, request: FastifyRequest): MarketItem[] {
  const search = Search.safeParse(request.body ?? {});
  if (!search.success) throw walmartRefusal(400, 'The search is not well-formed.');
  const { field, value = '' } = search.data.query ?? {};
  if (field === undefined) return [...market.itemsIn('list')];
  const named = field === 'productName' ? 'title' : field;
  return market.itemsIn('list').filter((item) => item[named] === value);
}

/** A page by `nextCursor`, or by `page` or `offset`. */
function pageOf(
  request: FastifyRequest,
  market: Market,
  items: readonly MarketItem[],
  usual: number,
  most: number,
) {
  const size = sizeOf(request, usual, most);
  const cursor = queryText(request, 'nextCursor');
  const offset = queryNumber(request, 'offset', 0, 100_000) + queryNumber(request, 'page', 0, 100_000) * size;
  const from = cursor === null ? offset : offsetOf(cursor);
  if (Number.isNaN(from)) throw walmartRefusal(400, 'The page is not valid.', 'nextCursor');
  const hasMore = from + size < items.length;
  return { ...reportedPage(market, items, from, size), size, next: hasMore ? cursorOf(from + size) : null };
}

function sizeOf(request: FastifyRequest, usual: number, most: number): number {
  const size = queryNumber(request, 'limit', usual, most);
  if (!(size >= 1)) throw walmartRefusal(400, 'The limit is not valid.', 'limit');
  return size;
}

function cursorOf(offset: number): string {
  return `AoE/${Buffer.from(String(offset)).toString('base64')}`;
}

function offsetOf(cursor: string): number {
  if (cursor === START) return 0;
  const text = cursor.startsWith('AoE/') ? Buffer.from(cursor.slice(4), 'base64').toString() : '';
  return /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
}

/** What sellers call the items of a category in Walmart's own list of product types. */
const PRODUCT_TYPES: Readonly<Record<string, string>> = {
  Apparel: 'T-Shirts',
  Books: 'Books',
  Craft: 'Craft Kits',
  Electronics: 'Sound Bars',
  Grocery: 'Coffee',
  Jewelry: 'Necklaces',
};

/** The item list, the catalog and the settlements name it alike; "default" is Walmart's text for none. */
export function productTypeOf(category: string): string {
  return PRODUCT_TYPES[category] ?? 'default';
}

function itemView(item: MarketItem) {
  const { sku, keys, title, category, price, isActive } = item;
  return {
    mart: 'WALMART_US',
    sku,
    condition: 'New',
    wpid: keys.wpid ?? '',
    upc: keys.upc ?? '',
    gtin: keys.gtin ?? '',
    productName: title,
    shelf: `["Home Page","${category}"]`,
    productType: productTypeOf(category),
    price: { currency: 'USD', amount: dollars(price) },
    publishedStatus: isActive ? 'PUBLISHED' : 'UNPUBLISHED',
    ...(isActive ? {} : { unpublishedReasons: { reason: ['End Date'] } }),
    lifecycleStatus: 'ACTIVE',
  };
}

function catalogView(item: MarketItem) {
  const { sku, itemId, keys, title, brand, category, price, isActive, quantity } = item;
  return {
    mart: 'WALMART_US',
    sku,
    condition: 'New',
    wpid: keys.wpid ?? '',
    upc: keys.upc ?? '',
    gtin: keys.gtin ?? '',
    itemId,
    productName: title,
    productType: productTypeOf(category),
    brand,
    price: { unit: 'USD', amount: dollars(price) },
    num_reviews: String(item.reviewCount),
    customerRating: dollarText(item.averageRating as typeof price),
    fulfillmentType: item.fulfillmentType === 'FBA/WFS' ? 'WFS' : 'Seller Fulfilled',
    publishedStatus: { status: isActive ? 'PUBLISHED' : 'UNPUBLISHED', reasons: [] },
    inventoryStatus: quantity > 0 ? 'In stock' : 'Out of stock',
    lifecycleStatus: 'ACTIVE',
  };
}

function qualityView(item: MarketItem) {
  const { sku, itemId, title, category, imageUrl, views, unitsSold, price } = item;
  return {
    productId: item.keys.wpid ?? '',
    scoreDetails: {
      offer: { issueCount: 0, price: { amount: dollarText(price), currency: 'USD' } },
      ratingReviews: {
        maxRating: (item.averageRating / 100).toFixed(1),
        ratingCount: String(item.reviewCount),
      },
    },
    wfsEnabled: item.fulfillmentType === 'FBA/WFS' ? 'YES' : 'NO',
    productName: title,
    itemId,
    pageViews: String(views),
    sku,
    category,
    productType: productTypeOf(category),
    stats: {
      gmv: { amount: ((unitsSold * price) / 100).toFixed(2), currency: 'USD' },
      pageViews: String(views),
      orders: String(unitsSold),
      totalUnits: String(unitsSold),
      conversionRate: views === 0 ? '0' : ((unitsSold / views) * 100).toFixed(2),
    },
    ...(imageUrl === null ? {} : { imageUrL: imageUrl }),
    condition: 'New',
  };
}
