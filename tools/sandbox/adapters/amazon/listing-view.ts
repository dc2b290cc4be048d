import type { Cents } from '#domain/units.ts';
import { dollarText } from '#sandbox/adapters/money.ts';
import { buyersPrice, type MarketItem } from '#sandbox/world/item.ts';
import { MARKETPLACE_ID } from './amazon-auth.ts';
import { entriesOf, type OfferEntries } from './offer-attributes.ts';

const IMAGE_SIZE = 500;

/** A listing in the format of the Listings Items API, with the requested parts. */
/** @param others members of the offer that only Amazon knows */
export function listingView(item: MarketItem, others: OfferEntries, included: ReadonlySet<string>) {
  const parts = {
    summaries: () => [summaryOf(item)],
    attributes: () => attributesOf(item, others),
    issues: () => [],
    offers: () => offersOf(item),
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

function offersOf(item: MarketItem) {
  const price = buyersPrice(item);
  const { business } = item.terms;
  const offer = (offerType: string, amount: Cents, audience: object) => ({
    marketplaceId: MARKETPLACE_ID,
    offerType,
    price: { currencyCode: 'USD', amount: dollarText(amount) },
    audience,
  });
  const consumer = offer('B2C', price, { value: 'ALL', displayName: 'Sell on Amazon' });
  // A business price above the consumer price is not shown to anyone.
  if (business === null || business.price === null || business.price > price) return [consumer];
  return [consumer, offer('B2B', business.price, { value: 'B2B', displayName: 'Amazon Business' })];
}

function availabilityOf({ fulfillmentType, quantity }: MarketItem) {
  // Amazon returns no quantity for FBA stock.
  if (fulfillmentType === 'FBA/WFS') return { fulfillmentChannelCode: 'AMAZON_NA' };
  return { fulfillmentChannelCode: 'DEFAULT', quantity };
}

function attributesOf(item: MarketItem, others: OfferEntries) {
  return {
    item_name: [{ value: item.title, language_tag: 'en_US', marketplace_id: MARKETPLACE_ID }],
    brand: [{ value: item.brand, language_tag: 'en_US', marketplace_id: MARKETPLACE_ID }],
    purchasable_offer: Object.values(entriesOf(item, others)),
  };
}
