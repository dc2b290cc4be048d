import type { FulfillmentType } from '#domain/marketplaces.ts';
import { type Cents, cents } from '#domain/units.ts';
import type { Competitor, MarketItem, ShownOffer } from './item.ts';

/** What can be bought now, the cheapest first; of two at the same price ours is named last. */
export function shownOffers(item: MarketItem): ShownOffer[] {
  return buyableOffers(item).sort((a, b) => a.landed - b.landed);
}

/** The rivals' in their order, then ours. */
function buyableOffers(item: MarketItem): ShownOffer[] {
  const offers = item.rivals.filter(({ isInStock }) => isInStock).map((rival) => offerOf(rival, rival));
  if (item.isActive && item.quantity > 0) offers.push(offerOf(item, null));
  return offers;
}

/**
 * The offer in the buy box: the cheapest, where fast delivery from the marketplace's warehouse counts for 3 % of the
 * price and a bad reputation against it. Between equals a rival wins.
 * @returns null when nobody has any
 */
export function featuredOffer(item: MarketItem): ShownOffer | null {
  let best: ShownOffer | null = null;
  let lowest = Number.POSITIVE_INFINITY;
  for (const offer of buyableOffers(item)) {
    const weight = appeal(offer) * (offer.rival === null || offer.rival.rating >= 9_000 ? 1 : 1.05);
    if (weight >= lowest) continue;
    best = offer;
    lowest = weight;
  }
  return best;
}

/** What an offer weighs to somebody who wants it soon: fewer is better. */
export function appeal({ landed, fulfillmentType, handlingDays }: ShownOffer): number {
  return landed * (fulfillmentType === 'FBA/WFS' ? 0.97 : 1 + 0.005 * Math.min(handlingDays, 5));
}

/** The lowest landed price of everybody but that rival; null when there is nobody. Asked for most often of all. */
export function lowestOfOthers(item: MarketItem, rival: Competitor): Cents | null {
  const isOurs = item.isActive && item.quantity > 0;
  let lowest = isOurs ? item.price + item.shippingCharge : Number.POSITIVE_INFINITY;
  for (const other of item.rivals) {
    if (other === rival || !other.isInStock) continue;
    lowest = Math.min(lowest, other.price + other.shippingCharge);
  }
  return lowest === Number.POSITIVE_INFINITY ? null : cents(lowest);
}

interface Priced {
  readonly price: Cents;
  readonly shippingCharge: Cents;
  readonly fulfillmentType: FulfillmentType;
  readonly handlingDays: number;
}

function offerOf(
  { price, shippingCharge, fulfillmentType, handlingDays }: Priced,
  rival: Competitor | null,
): ShownOffer {
  const landed = cents(price + shippingCharge);
  return { rival, price, shippingCharge, landed, fulfillmentType, handlingDays };
}
