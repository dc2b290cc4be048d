import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { type Cents, cents } from '#domain/units.ts';
import { dollars } from '#sandbox/adapters/money.ts';
import { pathText } from '#sandbox/adapters/query.ts';
import type { MarketItem } from '#sandbox/world/item.ts';
import type { Market } from '#sandbox/world/market.ts';
import { featuredOffer } from '#sandbox/world/offers.ts';
import { walmartRefusal } from './walmart-errors.ts';

const PAGE = 25;
const DAY = 86_400_000;

const Asked = z.looseObject({
  pageNumber: z.int().min(0),
  searchCriteria: z
    .looseObject({ searchType: z.enum(['SKU', 'ITEM_NAME']), searchValue: z.string() })
    .optional(),
});

/** getPricingInsights: the buy box of our own items, paginated. */
export function addPricingInsights(app: FastifyInstance, market: Market): void {
  app.post(
    '/v3/price/getPricingInsights',
    { config: { operation: 'getPricingInsights' } },
    async (request) => {
      const asked = Asked.safeParse(request.body);
      if (!asked.success) throw walmartRefusal(400, 'pageNumber is needed, from 0 on.', 'pageNumber');
      const { pageNumber, searchCriteria } = asked.data;
      const wanted = market.items().filter((item) => {
        const named = searchCriteria?.searchType === 'ITEM_NAME' ? item.title : item.sku;
        return searchCriteria === undefined || named === searchCriteria.searchValue;
      });
      const page = wanted.slice(pageNumber * PAGE, (pageNumber + 1) * PAGE);
      const hasMore = (pageNumber + 1) * PAGE < wanted.length;
      return {
        pageContext: {
          pageNo: pageNumber,
          currentPageCount: page.length,
          totalCount: wanted.length,
          totalPages: Math.ceil(wanted.length / PAGE),
          nextCursor: hasMore ? String((pageNumber + 1) * PAGE) : null,
        },
        pricingInsightsResponseList: page.map(insightOf),
      };
    },
  );
}

/** The promotions of a SKU: one for items planned with the key "promotion". */
export function addPromotions(app: FastifyInstance, market: Market): void {
  app.get('/v3/promo/sku/:sku', { config: { operation: 'getPromotions' } }, async (request) => {
    const sku = pathText(request, 'sku');
    const item = market.item(sku);
    if (item?.keys.promotion === undefined) throw walmartRefusal(404, 'There is no promotion.', 'sku');
    const currentPrice = { value: { currency: 'USD', amount: dollars(cents(Math.floor(item.price * 0.9))) } };
    const dates = { effectiveDate: market.now() - DAY, expirationDate: market.now() + DAY };
    return {
      status: 'OK',
      payload: { sku, pricingList: { pricing: [{ currentPrice, currentPriceType: 'REDUCED', ...dates }] } },
    };
  });
}

function insightOf(item: MarketItem) {
  const { title, sku, price, fulfillmentType, quantity, salesRank, keys, views, featuredViews } = item;
  const featured = featuredOffer(item);
  const elsewhere = item.competitors[0]?.usual ?? null;
  return {
    itemName: title,
    sku,
    currentPrice: dollars(price),
    buyBoxBasePrice: orNull(featured?.price),
    buyBoxTotalPrice: orNull(featured?.landed),
    buyBoxWinRate: views === 0 ? null : String(Math.round((featuredViews / views) * 100)),
    competitorPrice: orNull(elsewhere),
    comparisonPrice: null,
    fulfillment: fulfillmentType === 'FBA/WFS' ? 'Walmart fulfilled' : 'Seller fulfilled',
    inventoryCount: quantity,
    salesRank,
    repricerStrategyType: null,
    repricerStrategyName: keys.repricerStrategyName ?? null,
    repricerStatus: keys.repricerStatus ?? null,
    repricerMinPrice: null,
    repricerMaxPrice: null,
    priceCompetitiveScore: featured?.competitor === null ? 90 : 60,
    priceCompetitive: featured?.competitor === null,
    priceDifferential: featured == null ? null : ((price - featured.price) / 100).toFixed(2),
    gmv30: (item.unitsSold * price) / 100,
    inDemand: views > 100,
    traffic: views > 100 ? 'HIGH' : 'LOW',
  };
}

function orNull(amount: Cents | null | undefined): number | null {
  return amount == null ? null : dollars(amount);
}
