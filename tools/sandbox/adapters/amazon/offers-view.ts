import type { Cents } from '#domain/units.ts';
import { dollars } from '#sandbox/adapters/money.ts';
import type { MarketItem, ShownOffer } from '#sandbox/world/item.ts';
import { featuredOffer, shownOffers } from '#sandbox/world/offers.ts';
import { MARKETPLACE_ID, SELLER_ID } from './amazon-auth.ts';

/** Further offers are counted but not listed. */
const MAX_LISTED = 20;

/** The offers of an item in the format of Product Pricing v0. */
export function offersView(item: MarketItem, condition: string, isByOurSku: boolean) {
  // All sellers of the sandbox sell new items only.
  const shown = condition === 'New' ? shownOffers(item) : [];
  const featured = condition === 'New' ? featuredOffer(item) : null;
  const identifier = { MarketplaceId: MARKETPLACE_ID, ItemCondition: condition };
  return {
    marketplaceId: MARKETPLACE_ID,
    ...(isByOurSku ? { SKU: item.sku } : { ASIN: item.itemId }),
    ItemCondition: condition,
    status: shown.length > 0 ? 'Success' : 'NoBuyableOffers',
    Identifier: { ...identifier, ...(isByOurSku ? { SellerSKU: item.sku } : { ASIN: item.itemId }) },
    Summary: summaryOf(item, shown, featured),
    Offers: shown.slice(0, MAX_LISTED).map((offer) => offerView(offer, featured)),
  };
}

function summaryOf(item: MarketItem, shown: readonly ShownOffer[], featured: ShownOffer | null) {
  const channels = (['Amazon', 'Merchant'] as const).map((channel) => ({
    channel,
    offers: shown.filter((offer) => channelOf(offer) === channel),
  }));
  const counts = channels.map(({ channel, offers }) => ({
    condition: 'new',
    fulfillmentChannel: channel,
    OfferCount: offers.length,
  }));
  return {
    TotalOfferCount: shown.length,
    NumberOfOffers: counts,
    LowestPrices: channels.flatMap(({ channel, offers: [lowest] }) =>
      lowest === undefined ? [] : [{ condition: 'new', fulfillmentChannel: channel, ...pricesOf(lowest) }],
    ),
    BuyBoxPrices:
      featured === null ? [] : [{ condition: 'New', ...pricesOf(featured), sellerId: sellerOf(featured) }],
    SalesRankings: [
      { ProductCategoryId: `${item.category.toLowerCase()}_display_on_website`, Rank: item.salesRank },
    ],
    BuyBoxEligibleOffers: counts,
  };
}

function offerView(offer: ShownOffer, featured: ShownOffer | null) {
  const { competitor, fulfillmentType, handlingDays } = offer;
  const isTheirs = fulfillmentType === 'FBA/WFS';
  const isFeatured = featured !== null && competitor === featured.competitor;
  return {
    MyOffer: competitor === null,
    SubCondition: 'new',
    SellerId: sellerOf(offer),
    SellerFeedbackRating: {
      SellerPositiveFeedbackRating: competitor === null ? 97 : Math.round(competitor.rating / 100),
      FeedbackCount: competitor?.ratingCount ?? 1_204,
    },
    ShippingTime: {
      minimumHours: handlingDays * 24,
      maximumHours: (handlingDays + 1) * 24,
      availabilityType: 'NOW',
    },
    ListingPrice: money(offer.price),
    Shipping: money(offer.shippingCharge),
    IsFulfilledByAmazon: isTheirs,
    PrimeInformation: { IsPrime: isTheirs, IsNationalPrime: isTheirs },
    IsBuyBoxWinner: isFeatured,
    IsFeaturedMerchant: true,
  };
}

function pricesOf({ landed, price, shippingCharge }: ShownOffer) {
  return { LandedPrice: money(landed), ListingPrice: money(price), Shipping: money(shippingCharge) };
}

function money(amount: Cents) {
  return { CurrencyCode: 'USD', Amount: dollars(amount) };
}

function channelOf({ fulfillmentType }: ShownOffer): 'Amazon' | 'Merchant' {
  return fulfillmentType === 'FBA/WFS' ? 'Amazon' : 'Merchant';
}

export function sellerOf({ competitor }: ShownOffer): string {
  return competitor?.sellerId ?? SELLER_ID;
}
