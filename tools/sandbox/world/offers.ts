import type { FulfillmentType } from '#domain/marketplaces.ts';
import { type Cents, cents } from '#domain/units.ts';
import { buyersPrice, type Competitor, type MarketItem, type ShownOffer } from './item.ts';

/** Offers in stock, lowest landed price first; at the same price ours is last. */
export function shownOffers(item: MarketItem): ShownOffer[] {
  return buyableOffers(item).sort((a, b) => a.landed - b.landed);
}

/** Competitors' offers in their order, then ours. */
function buyableOffers(item: MarketItem): ShownOffer[] {
  const offers = item.competitors
    .filter(({ isInStock }) => isInStock)
    .map((competitor) => offerOf(competitor, competitor));
  if (item.isActive && item.quantity > 0) offers.push(offerOf(item, null, buyersPrice(item)));
  return offers;
}

/**
 * The offer in the buy box: the lowest, where delivery from the marketplace's warehouse is worth 3% of the price and
 * a rating below 90% costs 5%. A competitor wins ties.
 * @returns null without offers
 */
export function featuredOffer(item: MarketItem): ShownOffer | null {
  let best: ShownOffer | null = null;
  let lowest = Number.POSITIVE_INFINITY;
  for (const offer of buyableOffers(item)) {
    const weight = appeal(offer) * (offer.competitor === null || offer.competitor.rating >= 9_000 ? 1 : 1.05);
    if (weight >= lowest) continue;
    best = offer;
    lowest = weight;
  }
  return best;
}

/** The landed price adjusted for delivery speed; lower is better. */
export function appeal({ landed, fulfillmentType, handlingDays }: ShownOffer): number {
  return landed * (fulfillmentType === 'FBA/WFS' ? 0.97 : 1 + 0.005 * Math.min(handlingDays, 5));
}

/** The lowest landed price of all sellers but that competitor, or but us if it is null; null without any. The most frequent call, so it allocates nothing. */
export function lowestOfOthers(item: MarketItem, competitor: Competitor | null): Cents | null {
  const isOurs = competitor !== null && item.isActive && item.quantity > 0;
  let lowest = isOurs ? buyersPrice(item) + item.shippingCharge : Number.POSITIVE_INFINITY;
  for (const other of item.competitors) {
    if (other === competitor || !other.isInStock) continue;
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
  { price: usual, shippingCharge, fulfillmentType, handlingDays }: Priced,
  competitor: Competitor | null,
  price = usual,
): ShownOffer {
  const landed = cents(price + shippingCharge);
  return { competitor, price, shippingCharge, landed, fulfillmentType, handlingDays };
}
