import { cents } from '#domain/units.ts';
import { dollars, dollarText } from '#sandbox/adapters/money.ts';
import type { MarketItem } from '#sandbox/world/item.ts';
import type { Market } from '#sandbox/world/market.ts';
import { MARKETPLACE_ID } from './amazon-auth.ts';

const COLUMNS = [
  ...[
    'item-name',
    'item-description',
    'listing-id',
    'seller-sku',
    'price',
    'quantity',
    'open-date',
    'image-url',
  ],
  ...['item-is-marketplace', 'product-id-type', 'zshop-shipping-fee', 'item-note', 'item-condition'],
  ...['zshop-category1', 'zshop-browse-path', 'zshop-storefront-feature', 'asin1', 'asin2', 'asin3'],
  ...['will-ship-internationally', 'expedited-shipping', 'zshop-boldface', 'product-id'],
  ...['bid-for-featured-placement', 'add-delete', 'pending-quantity', 'fulfillment-channel'],
  ...['merchant-shipping-group', 'status'],
] as const;

/** All listings, separated by tabs. */
export function merchantListings(market: Market): string {
  const rows = market.itemsIn('document').map((item) => {
    const cells = cellsOf(item);
    return COLUMNS.map((column) => cells[column] ?? '').join('\t');
  });
  return `${[COLUMNS.join('\t'), ...rows].join('\n')}\n`;
}

function cellsOf(item: MarketItem): Partial<Record<(typeof COLUMNS)[number], string>> {
  const isTheirs = item.fulfillmentType === 'FBA/WFS';
  return {
    'item-name': item.title,
    'listing-id': `0101Z${item.itemId.slice(2)}`,
    'seller-sku': item.sku,
    price: dollarText(item.price),
    quantity: isTheirs ? '' : String(item.quantity),
    'open-date': `${new Date(item.createdAt).toISOString().slice(0, 19).replace('T', ' ')} UTC`,
    'item-is-marketplace': 'y',
    'product-id-type': '1',
    'item-condition': '11',
    asin1: item.itemId,
    'product-id': item.itemId,
    'pending-quantity': '0',
    'fulfillment-channel': isTheirs ? 'AMAZON_NA' : 'DEFAULT',
    'merchant-shipping-group': 'Migrated Template',
    status: item.isActive ? 'Active' : 'Inactive',
  };
}

const NO_MONEY = { amount: 0, currencyCode: 'USD' } as const;

/** Views and sales by SKU since the world began; the requested dates appear only in the header. */
export function salesAndTraffic(market: Market, start = '2026-01-01', end = '2026-01-01'): string {
  return JSON.stringify({
    reportSpecification: {
      reportType: 'GET_SALES_AND_TRAFFIC_REPORT',
      reportOptions: { dateGranularity: 'DAY', asinGranularity: 'SKU' },
      dataStartTime: start.slice(0, 10),
      dataEndTime: end.slice(0, 10),
      marketplaceIds: [MARKETPLACE_ID],
    },
    salesAndTrafficByDate: [],
    salesAndTrafficByAsin: market.items().map((item) => ({
      parentAsin: item.itemId,
      childAsin: item.itemId,
      sku: item.sku,
      salesByAsin: salesOf(item),
      trafficByAsin: trafficOf(item),
    })),
  });
}

function salesOf({ unitsSold, price }: MarketItem) {
  return {
    unitsOrdered: unitsSold,
    unitsOrderedB2B: 0,
    totalOrderItems: unitsSold,
    totalOrderItemsB2B: 0,
    orderedProductSales: { amount: dollars(cents(unitsSold * price)), currencyCode: 'USD' },
    orderedProductSalesB2B: NO_MONEY,
  };
}

function trafficOf({ views, featuredViews, unitsSold }: MarketItem) {
  const sessions = Math.ceil(views * 0.8);
  return {
    browserSessions: sessions,
    browserSessionsB2B: 0,
    mobileAppSessions: 0,
    mobileAppSessionsB2B: 0,
    sessions,
    sessionsB2B: 0,
    browserSessionPercentage: 0,
    browserSessionPercentageB2B: 0,
    mobileAppSessionPercentage: 0,
    mobileAppSessionPercentageB2B: 0,
    sessionPercentage: 0,
    sessionPercentageB2B: 0,
    browserPageViews: views,
    browserPageViewsB2B: 0,
    mobileAppPageViews: 0,
    mobileAppPageViewsB2B: 0,
    pageViews: views,
    pageViewsB2B: 0,
    browserPageViewsPercentage: 0,
    browserPageViewsPercentageB2B: 0,
    mobileAppPageViewsPercentage: 0,
    mobileAppPageViewsPercentageB2B: 0,
    pageViewsPercentage: 0,
    pageViewsPercentageB2B: 0,
    buyBoxPercentage: share(featuredViews, views),
    buyBoxPercentageB2B: 0,
    unitSessionPercentage: share(unitsSold, sessions),
    unitSessionPercentageB2B: 0,
  };
}

/** Percent with two decimals. */
function share(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((part / whole) * 10_000) / 100;
}
