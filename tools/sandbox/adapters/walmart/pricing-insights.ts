import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Cents } from '#domain/units.ts';
import { reportedPage } from '#sandbox/adapters/list-pages.ts';
import { dollars } from '#sandbox/adapters/money.ts';
import { pathText } from '#sandbox/adapters/query.ts';
import type { MarketItem } from '#sandbox/world/item.ts';
import type { Market } from '#sandbox/world/market.ts';
import { featuredOffer } from '#sandbox/world/offers.ts';
import { refuseEmpty, walmartRefusal } from './walmart-errors.ts';

const PAGE = 25;

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
      const requested = Asked.safeParse(request.body);
      if (!requested.success) throw walmartRefusal(400, 'pageNumber is needed, from 0 on.', 'pageNumber');
      const { pageNumber, searchCriteria } = requested.data;
      const wanted = market.items().filter((item) => {
        const named = searchCriteria?.searchType === 'ITEM_NAME' ? item.title : item.sku;
        return searchCriteria === undefined || named === searchCriteria.searchValue;
      });
      refuseEmpty(market, 'getPricingInsights', wanted.length);
      const { part: page, total } = reportedPage(market, wanted, pageNumber * PAGE, PAGE);
      const hasMore = (pageNumber + 1) * PAGE < wanted.length;
      return {
        pageContext: {
          pageNo: pageNumber,
          currentPageCount: page.length,
          totalCount: total,
          totalPages: Math.ceil(total / PAGE),
          nextCursor: hasMore ? String((pageNumber + 1) * PAGE) : null,
        },
        pricingInsightsResponseList: page.map((item) =>
          insightOf(market.seenIn('list', item), market.seenIn('box', item)),
        ),
      };
    },
  );
}

/** The promotion of a SKU: its sale, from the time it is arranged. */
export function addPromotions(app: FastifyInstance, market: Market): void {
  app.get('/v3/promo/sku/:sku', { config: { operation: 'getPromotionalPrices' } }, async (request) => {
    const sku = pathText(request, 'sku');
    const sale = market.item(sku)?.terms.sale;
    if (sale == null || sale.to <= market.now()) throw walmartRefusal(404, 'There is no promotion.', 'sku');
    const currentPrice = { value: { currency: 'USD', amount: dollars(sale.price) } };
    const dates = { effectiveDate: sale.from, expirationDate: sale.to };
    return {
      status: 'OK',
      payload: {
        itemIdentifier: { sku },
        pricingList: { pricing: [{ currentPrice, currentPriceType: 'REDUCED', ...dates }] },
      },
    };
  });
}

/** @param box the same listing with its offers as the box shows them: often older than its own price */
function insightOf(item: MarketItem, box: MarketItem) {
  const { title, sku, price, fulfillmentType, quantity, salesRank, terms, views, featuredViews } = item;
  const { repricer } = terms;
  const featured = featuredOffer(box);
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
    repricerStrategyName: repricer === null ? null : 'Buy Box Meet External Price',
    repricerStatus: repricer === null ? null : 'ACTIVE',
    repricerMinPrice: orNull(repricer?.min),
    repricerMaxPrice: orNull(repricer?.max),
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
