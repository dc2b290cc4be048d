import { dollars, dollarText } from '#sandbox/adapters/money.ts';
import type { MarketItem } from '#sandbox/world/item.ts';
import { MARKETPLACE_ID } from './amazon-auth.ts';
import type { OfferAttribute } from './offer-attributes.ts';

const IMAGE_SIZE = 500;

/** A listing in the format of the Listings Items API, with the requested parts. */
export function listingView(item: MarketItem, offer: OfferAttribute, included: ReadonlySet<string>) {
  const parts = {
    summaries: () => [summaryOf(item)],
    attributes: () => attributesOf(item, offer),
    issues: () => [],
    offers: () => [offerOf(item)],
    fulfillmentAvailability: () => [availabilityOf(item)],
    productTypes: () => [{ marketplaceId: MARKETPLACE_ID, productType: productTypeOf(item) }],
  };
  const shown = Object.entries(parts).filter(([name]) => included.has(name));
  return { sku: item.sku, ...Object.fromEntries(shown.map(([name, make]) => [name, make()])) };
}

/** What Amazon calls the items of a category. */
const PRODUCT_TYPES: Readonly<Record<string, string>> = {
  Apparel: 'SHIRT',
  Books: 'ABIS_BOOK',
  Electronics: 'AV_RECEIVER',
  Grocery: 'GROCERY',
  Jewelry: 'NECKLACE',
};

export function productTypeOf({ category }: MarketItem): string {
  return PRODUCT_TYPES[category] ?? 'PRODUCT';
}

function summaryOf(item: MarketItem) {
  return {
    marketplaceId: MARKETPLACE_ID,
    asin: item.itemId,
    productType: productTypeOf(item),
    conditionType: 'new_new',
    status: [
      ...(item.isActive && item.quantity > 0 ? ['BUYABLE'] : []),
      ...(item.isActive ? ['DISCOVERABLE'] : []),
    ],
    itemName: item.title,
    createdDate: new Date(item.createdAt).toISOString(),
    lastUpdatedDate: new Date(item.updatedAt).toISOString(),
    ...(item.imageUrl === null
      ? {}
      : { mainImage: { link: item.imageUrl, height: IMAGE_SIZE, width: IMAGE_SIZE } }),
  };
}

function offerOf({ price }: MarketItem) {
  return {
    marketplaceId: MARKETPLACE_ID,
    offerType: 'B2C',
    price: { currencyCode: 'USD', amount: dollarText(price) },
    audience: { value: 'ALL', displayName: 'Sell on Amazon' },
  };
}

function availabilityOf({ fulfillmentType, quantity }: MarketItem) {
  // Amazon returns no quantity for FBA stock.
  if (fulfillmentType === 'FBA/WFS') return { fulfillmentChannelCode: 'AMAZON_NA' };
  return { fulfillmentChannelCode: 'DEFAULT', quantity };
}

function attributesOf(item: MarketItem, offer: OfferAttribute) {
  return {
    item_name: [{ value: item.title, language_tag: 'en_US', marketplace_id: MARKETPLACE_ID }],
    brand: [{ value: item.brand, language_tag: 'en_US', marketplace_id: MARKETPLACE_ID }],
    purchasable_offer: [
      {
        ...offer,
        marketplace_id: MARKETPLACE_ID,
        audience: 'ALL',
        currency: 'USD',
        our_price: [{ schedule: [{ value_with_tax: dollars(item.price) }] }],
      },
    ],
  };
}
