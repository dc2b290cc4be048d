import type { FastifyInstance } from 'fastify';
import { dollarText } from '#sandbox/adapters/money.ts';
import { pathText, queryText } from '#sandbox/adapters/query.ts';
import type { MarketItem } from '#sandbox/world/item.ts';
import type { Market } from '#sandbox/world/market.ts';
import { ebayError } from './ebay-errors.ts';
import { isInInventory, MARKETPLACE_ID } from './inventory.ts';

const MARKETING = '/sell/marketing/v1';
const FIRST_ID = 5_000_000_000;

interface MarkdownSale {
  readonly promotionId: string;
  readonly from: number;
  readonly to: number;
  readonly items: readonly MarketItem[];
}

/** The seller's own markdown sales: listings whose sales begin and end at the same time. */
export function addMarkdownSales(app: FastifyInstance, market: Market): void {
  const path = `${MARKETING}/promotion`;
  app.get(path, { config: { operation: 'getPromotions' } }, async (request) => {
    const [place, type, status] = ['marketplace_id', 'promotion_type', 'promotion_status'].map((name) =>
      queryText(request, name),
    );
    if (place !== MARKETPLACE_ID)
      throw ebayError(345_034, 'API_MARKETING', 'The marketplace ID is not valid.');
    const sales = salesIn(market).filter(
      (sale) =>
        (type === null || type === 'MARKDOWN_SALE') &&
        (status === null || status === statusOf(sale, market.now())),
    );
    return {
      href: `https://api.ebay.com${path}`,
      limit: 200,
      offset: 0,
      total: sales.length,
      promotions: sales.map((sale) => promotionView(sale, market.now())),
    };
  });
  const set = `${path}/:promotionId/get_listing_set`;
  app.get(set, { config: { operation: 'getListingSet' } }, async (request) => {
    const sale = salesIn(market).find(({ promotionId }) => promotionId === pathText(request, 'promotionId'));
    if (sale === undefined) throw ebayError(345_001, 'API_MARKETING', 'The promotion was not found.', 404);
    return {
      href: `https://api.ebay.com${path}/${sale.promotionId}/get_listing_set`,
      limit: 200,
      offset: 0,
      total: sale.items.length,
      listings: sale.items.map(listingView),
    };
  });
}

function salesIn(market: Market): MarkdownSale[] {
  const sales = new Map<string, MarketItem[]>();
  for (const item of market.items()) {
    const { sale } = item.terms;
    if (sale === null) continue;
    const times = `${sale.from}-${sale.to}`;
    sales.set(times, [...(sales.get(times) ?? []), item]);
  }
  return [...sales].map(([times, items], at) => {
    const [from = 0, to = 0] = times.split('-').map(Number);
    return { promotionId: `${FIRST_ID + at}@0`, from, to, items };
  });
}

function statusOf({ from, to }: MarkdownSale, now: number): string {
  if (now < from) return 'SCHEDULED';
  return now < to ? 'RUNNING' : 'ENDED';
}

function promotionView(sale: MarkdownSale, now: number) {
  return {
    name: 'Markdown sale',
    marketplaceId: MARKETPLACE_ID,
    promotionId: sale.promotionId,
    promotionType: 'MARKDOWN_SALE',
    promotionStatus: statusOf(sale, now),
    startDate: new Date(sale.from).toISOString(),
    endDate: new Date(sale.to).toISOString(),
    priority: 'PRIORITY_1',
  };
}

function listingView(item: MarketItem) {
  const reference = isInInventory(item)
    ? { inventoryReferenceId: item.sku, inventoryReferenceType: 'INVENTORY_ITEM' }
    : {};
  return {
    listingId: item.itemId,
    ...reference,
    title: item.title,
    quantity: item.quantity,
    currentPrice: { value: dollarText(item.price), currency: 'USD' },
  };
}
