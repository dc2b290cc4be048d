import type { FastifyInstance } from 'fastify';
import { type Cents, cents } from '#domain/units.ts';
import type { AdapterContext } from '#sandbox/adapters/adapter.ts';
import { dollarText } from '#sandbox/adapters/money.ts';
import { queryText } from '#sandbox/adapters/query.ts';
import { CREDENTIALS } from '#sandbox/credentials.ts';
import type { MarketItem, ShownOffer } from '#sandbox/world/item.ts';
import type { Market } from '#sandbox/world/market.ts';
import { shownOffers } from '#sandbox/world/offers.ts';
import { categoryIdOf } from './category-branches.ts';
import { ebayError } from './ebay-errors.ts';
import { pageOf } from './ebay-pages.ts';
import { MARKETPLACE_ID } from './inventory.ts';

const BROWSE = '/buy/browse/v1';

/** The Browse API: what buyers find. */
export function addBrowse(app: FastifyInstance, market: Market, tools: AdapterContext): void {
  app.get(`${BROWSE}/item_summary/search`, { config: { operation: 'search' } }, async (request) => {
    const [gtin, epid, words] = ['gtin', 'epid', 'q'].map((name) => queryText(request, name));
    if (gtin == null && epid == null && words == null) {
      const message = "The call must have a valid 'q', 'category_ids', 'epid' or 'gtin' query parameter.";
      throw ebayError(12_001, 'API_BROWSE', message);
    }
    const found = market
      .itemsIn('box')
      .filter(
        ({ keys, title }) =>
          (gtin == null || keys.gtin === gtin) &&
          (epid == null || keys.epid === epid) &&
          (words == null || title.toLowerCase().includes(words.toLowerCase())),
      )
      .flatMap((item) => shownOffers(item).map((offer) => ({ item, offer })));
    // Sorted by landed price, also without a sort order: every result matches equally well.
    const falls = queryText(request, 'sort') === '-price';
    const sorted = found.toSorted((a, b) => (a.offer.landed - b.offer.landed) * (falls ? -1 : 1));
    const refuse = () =>
      ebayError(12_006, 'API_BROWSE', "The 'limit' value should be between 1 and 200 (inclusive).");
    const rules = { usual: 50, most: 200, byPages: false, refuse };
    const { part, total, limit, offset, href, links } = pageOf(request, tools.address(), sorted, rules);
    const summaries = part.map(({ item, offer }) => summaryView(item, offer));
    return {
      href,
      total,
      limit,
      offset,
      ...links,
      ...(summaries.length === 0 ? {} : { itemSummaries: summaries }),
    };
  });
  app.get(
    `${BROWSE}/item/get_item_by_legacy_id`,
    { config: { operation: 'getItemByLegacyId' } },
    async (request) => {
      const id = queryText(request, 'legacy_item_id');
      const item = market.find(({ itemId, isActive }) => itemId === id && isActive);
      if (item === null) throw ebayError(11_001, 'API_BROWSE', 'The specified item ID was not found.', 404);
      return itemPage(market.seenIn('box', item));
    },
  );
}

function summaryView(item: MarketItem, offer: ShownOffer) {
  const { title, keys, imageUrl } = item;
  const legacyItemId = legacyIdOf(item, offer);
  return {
    itemId: `v1|${legacyItemId}|0`,
    legacyItemId,
    title,
    price: money(offer.price),
    seller: sellerView(offer),
    condition: 'New',
    conditionId: '1000',
    buyingOptions: ['FIXED_PRICE'],
    ...(imageUrl === null ? {} : { image: { imageUrl } }),
    ...(keys.epid === undefined ? {} : { epid: keys.epid }),
    shippingOptions: [{ shippingCostType: 'FIXED', shippingCost: money(offer.shippingCharge) }],
    itemLocation: { country: 'US', postalCode: '627**' },
    itemWebUrl: `https://www.ebay.example.com/itm/${legacyItemId}`,
    listingMarketplaceId: MARKETPLACE_ID,
  };
}

/** Each seller has a listing; the ID of a competitor's is derived from ours and its position. */
function legacyIdOf({ itemId, competitors }: MarketItem, { competitor }: ShownOffer): string {
  if (competitor === null) return itemId;
  return `${itemId.slice(0, -2)}${String(10 + competitors.indexOf(competitor))}`.replace(/^./, '9');
}

function sellerView({ competitor }: ShownOffer) {
  if (competitor === null) {
    return {
      username: CREDENTIALS.ebay.username,
      feedbackPercentage: '99.1',
      feedbackScore: 1_204,
      sellerAccountType: 'BUSINESS',
    };
  }
  const { sellerId, rating, ratingCount } = competitor;
  return {
    username: sellerId.toLowerCase(),
    feedbackPercentage: (rating / 100).toFixed(1),
    feedbackScore: ratingCount,
    sellerAccountType: 'BUSINESS',
  };
}

function itemPage(item: MarketItem) {
  const { itemId, title, price, shippingCharge, keys, brand, quantity, unitsSold, category } = item;
  return {
    itemId: `v1|${itemId}|0`,
    legacyItemId: itemId,
    title,
    brand,
    price: money(price),
    categoryId: categoryIdOf(category),
    categoryPath: category,
    condition: 'New',
    conditionId: '1000',
    buyingOptions: ['FIXED_PRICE'],
    gtin: keys.gtin,
    epid: keys.epid,
    seller: sellerView({ competitor: null, ...item, landed: cents(price + shippingCharge) }),
    estimatedAvailabilities: [
      {
        estimatedAvailabilityStatus: quantity > 0 ? 'IN_STOCK' : 'OUT_OF_STOCK',
        estimatedAvailableQuantity: quantity,
        estimatedSoldQuantity: unitsSold,
      },
    ],
    shippingOptions: [{ shippingCostType: 'FIXED', shippingCost: money(shippingCharge) }],
    // eBay shows reviews only for catalog products.
    ...(keys.epid === undefined
      ? {}
      : {
          primaryProductReviewRating: {
            reviewCount: item.reviewCount,
            averageRating: (item.averageRating / 100).toFixed(1),
          },
        }),
    listingMarketplaceId: MARKETPLACE_ID,
  };
}

function money(amount: Cents) {
  return { value: dollarText(amount), currency: 'USD' };
}
