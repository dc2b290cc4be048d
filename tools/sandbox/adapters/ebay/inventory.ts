import type { FastifyInstance } from 'fastify';
import type { Cents } from '#domain/units.ts';
import type { AdapterContext } from '#sandbox/adapters/adapter.ts';
import { dollarText } from '#sandbox/adapters/money.ts';
import { pathText, queryText } from '#sandbox/adapters/query.ts';
import type { MarketItem } from '#sandbox/world/item.ts';
import type { Market } from '#sandbox/world/market.ts';
import type { BestOfferTerm } from '#sandbox/world/terms.ts';
import { categoryIdOf } from './category-branches.ts';
import { ebayError } from './ebay-errors.ts';
import { pageOf } from './ebay-pages.ts';

export const INVENTORY = '/sell/inventory/v1';
export const MARKETPLACE_ID = 'EBAY_US';
export const NO_SUCH_OFFER = 25_713;

/** Whether the Inventory API knows the item; one without an offer ID was listed by an older API. */
export function isInInventory({ keys }: MarketItem): boolean {
  return keys.offerId !== undefined && keys.offerId !== '';
}

/** What eBay requires of the prices at which Best Offers are accepted and declined. */
export const AT_AUTO_ACCEPT = 'The Best Offer Auto Accept Price must be less than the Buy It Now price.';
export const AT_AUTO_DECLINE = 'Auto decline amount cannot be greater than or equal to the Buy It Now price.';

/**
 * Why eBay refuses a price: those at which Best Offers are accepted and declined automatically have to be lower.
 * @returns null where it takes it
 */
export function bestOfferProblem(
  { terms, variation }: Pick<MarketItem, 'terms' | 'variation'>,
  price: Cents,
): typeof AT_AUTO_ACCEPT | typeof AT_AUTO_DECLINE | null {
  if (terms.bestOffer === null || variation !== null) return null;
  const { autoAccept, autoDecline } = terms.bestOffer;
  if (autoAccept !== null && price <= autoAccept) return AT_AUTO_ACCEPT;
  return autoDecline !== null && price <= autoDecline ? AT_AUTO_DECLINE : null;
}

/** Inventory items and their offers. */
export function addInventory(app: FastifyInstance, market: Market, tools: AdapterContext): void {
  const known = () => market.itemsIn('list').filter(isInInventory);
  const noPage = () => ebayError(25_706, 'API_INVENTORY', 'You have provided invalid pagination values.');
  app.get(`${INVENTORY}/inventory_item`, { config: { operation: 'getInventoryItems' } }, async (request) => {
    const rules = { usual: 25, most: 200, byPages: true, refuse: noPage, market };
    const { part, total, limit, href, links } = pageOf(request, tools.address(), known(), rules);
    const items = part.length === 0 ? {} : { inventoryItems: part.map(itemView) };
    return { total, size: part.length, href, limit, ...links, ...items };
  });
  app.get(
    `${INVENTORY}/inventory_item/:sku`,
    { config: { operation: 'getInventoryItem' } },
    async (request) => {
      const item = known().find(({ sku }) => sku === pathText(request, 'sku'));
      if (item === undefined) throw noEntity();
      return itemView(item);
    },
  );
  app.get(`${INVENTORY}/offer`, { config: { operation: 'getOffers' } }, async (request) => {
    const sku = queryText(request, 'sku');
    if (sku === null) throw ebayError(25_709, 'API_INVENTORY', 'Invalid value for sku.');
    const offers = known().filter((item) => item.sku === sku);
    if (offers.length === 0) throw noOffer(404);
    const rules = { usual: 100, most: 100, byPages: true, refuse: noPage };
    const { part, total, limit, href, links } = pageOf(request, tools.address(), offers, rules);
    return { total, size: part.length, href, limit, ...links, offers: part.map(offerView) };
  });
  app.get(`${INVENTORY}/offer/:offerId`, { config: { operation: 'getOffer' } }, async (request) => {
    const offerId = pathText(request, 'offerId');
    const item = market.find((one) => isInInventory(one) && one.keys.offerId === offerId);
    if (item === null) throw noOffer(404);
    return offerView(market.seenIn('item', item));
  });
}

function noEntity() {
  const message = "We didn't find the resource/entity you are requesting. Please verify the request";
  return ebayError(25_710, 'API_INVENTORY', message, 404);
}

function noOffer(status: number) {
  return ebayError(NO_SUCH_OFFER, 'API_INVENTORY', 'This Offer is not available.', status);
}

function itemView({ sku, title, brand, imageUrl, quantity, weightOunces, keys, category }: MarketItem) {
  return {
    sku,
    locale: 'en_US',
    condition: 'NEW',
    product: {
      title,
      brand,
      description: `${title}, in ${category}.`,
      imageUrls: imageUrl === null ? [] : [imageUrl],
      ...(keys.gtin === undefined ? {} : { upc: [keys.gtin] }),
      ...(keys.epid === undefined ? {} : { epid: keys.epid }),
    },
    packageWeightAndSize: { weight: { value: weightOunces, unit: 'OUNCE' } },
    availability: { shipToLocationAvailability: { quantity } },
  };
}

function money(amount: Cents) {
  return { value: dollarText(amount), currency: 'USD' };
}

function bestOfferView({ autoAccept, autoDecline }: BestOfferTerm) {
  return {
    bestOfferEnabled: true,
    ...(autoAccept === null ? {} : { autoAcceptPrice: money(autoAccept) }),
    ...(autoDecline === null ? {} : { autoDeclinePrice: money(autoDecline) }),
  };
}

function offerView(item: MarketItem) {
  const { sku, keys, price, quantity, isActive, itemId, unitsSold, category, terms } = item;
  return {
    offerId: keys.offerId,
    sku,
    marketplaceId: MARKETPLACE_ID,
    format: 'FIXED_PRICE',
    availableQuantity: quantity,
    categoryId: categoryIdOf(category),
    listingDuration: 'GTC',
    pricingSummary: {
      price: money(price),
      ...(terms.mapPrice === null
        ? {}
        : { minimumAdvertisedPrice: money(terms.mapPrice), pricingVisibility: 'PRE_CHECKOUT' }),
    },
    listingPolicies: {
      paymentPolicyId: '6001',
      returnPolicyId: '6002',
      fulfillmentPolicyId: '6003',
      // Not available for listings with variations.
      ...(terms.bestOffer === null || item.variation !== null
        ? {}
        : { bestOfferTerms: bestOfferView(terms.bestOffer) }),
    },
    merchantLocationKey: 'sandbox-warehouse',
    tax: { applyTax: false },
    includeCatalogProductDetails: true,
    hideBuyerDetails: false,
    // An inactive offer has no listing.
    ...(isActive
      ? {
          status: 'PUBLISHED',
          listing: {
            listingId: itemId,
            soldQuantity: unitsSold,
            listingStatus: quantity > 0 ? 'ACTIVE' : 'OUT_OF_STOCK',
          },
        }
      : { status: 'UNPUBLISHED' }),
  };
}
