import { type Cents, cents } from '#domain/units.ts';
import { dollars } from '#sandbox/adapters/money.ts';
import type { MarketItem, ShownOffer } from '#sandbox/world/item.ts';
import { featuredOffer, shownOffers } from '#sandbox/world/offers.ts';
import type { QuirkPlan } from '#sandbox/world/quirks.ts';

/** The number of our account. */
export const PARTNER = '10001234567';
const OUR_NAME = 'Sandbox Shop';
/** Further offers are counted but not listed. */
const MAX_LISTED = 5;

/** What BUY_BOX_CHANGED reports about the offers of an item: the five lowest of each condition. */
export function boxEvent(
  item: MarketItem,
  { usedOffers = 0, unnamedBox = false }: NonNullable<QuirkPlan['told']>,
) {
  const shown = shownOffers(item);
  const featured = featuredOffer(item);
  const ours = shown.find(({ competitor }) => competitor === null);
  const difference = featured === null || ours === undefined ? null : ours.landed - featured.landed;
  const used = shown.slice(0, usedOffers).map((offer) => ({
    ...offerView({ ...offer, price: cents(Math.ceil(offer.price * 0.6)) }),
    sellerName: 'Second Hand Shop',
    itemCondition: 'Used',
  }));
  const offer = {
    ...(ours === undefined ? {} : { currentOffer: offerView(ours) }),
    ...(featured === null ? {} : { winningOffer: winnerView(featured, unnamedBox) }),
    offers: [...used, ...shown.slice(0, MAX_LISTED - used.length).map(offerView)],
    ...(difference === null ? {} : { priceDifference: dollars(cents(difference)) }),
  };
  return { totalNumberOfOffers: shown.length + used.length, offer };
}

function winnerView(offer: ShownOffer, isUnnamed: boolean) {
  const { sellerName, partnerId, ...rest } = offerView(offer);
  return isUnnamed ? rest : { sellerName, partnerId, ...rest };
}

function offerView({ competitor, price, shippingCharge, fulfillmentType }: ShownOffer) {
  return {
    sellerName: competitor?.name ?? OUR_NAME,
    partnerId: competitor === null ? PARTNER : numberOf(competitor.sellerId),
    sellerOfferPrice: amount(price),
    sellerShippingPrice: amount(shippingCharge),
    proSellerBadge: (competitor?.rating ?? 0) >= 9_700,
    isWFS: fulfillmentType === 'FBA/WFS',
    itemCondition: 'New',
  };
}

function amount(price: Cents): number {
  return dollars(price);
}

/** The same number for the same seller. */
function numberOf(sellerId: string): string {
  const digits = [...sellerId].map((letter) => String((letter.codePointAt(0) ?? 0) % 10)).join('');
  return `2${digits.padEnd(10, '0').slice(0, 10)}`;
}
