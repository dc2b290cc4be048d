import { type Cents, cents } from '#domain/units.ts';
import type { Chance } from './chance.ts';
import type { MarketItem } from './item.ts';
import { appeal, featuredOffer, shownOffers } from './offers.ts';
import type { Choice } from './orders.ts';

/**
 * A shopper looks at a page. Four of five take what stands in the buy box, the others compare all offers by what they
 * pay in the end and how soon it comes; none pays more than the thing is worth to them.
 * @param worth what it is worth to people on average
 */
export function shop(item: MarketItem, worth: Cents, chance: Chance): Choice {
  const featured = featuredOffer(item);
  const takesFeatured = chance.happens(0.8);
  const limit = worth * Math.exp(0.25 * bell(chance));
  const wants = chance.happens(0.35);
  if (featured === null || !wants) return { featured, bought: null };
  const chosen = takesFeatured ? featured : bestFor(item, chance);
  return { featured, bought: chosen !== null && chosen.landed <= limit ? chosen : null };
}

function bestFor(item: MarketItem, chance: Chance) {
  let best = null;
  let lowest = Number.POSITIVE_INFINITY;
  for (const offer of shownOffers(item)) {
    const weight = appeal(offer) * (1 + 0.03 * bell(chance));
    if (weight >= lowest) continue;
    best = offer;
    lowest = weight;
  }
  return best;
}

/** Around 0, mostly between -2 and 2. */
function bell(chance: Chance): number {
  return (chance.next() + chance.next() + chance.next() - 1.5) * 2;
}

/** Most take one piece. */
export function pieces(chance: Chance): number {
  if (!chance.happens(0.15)) return 1;
  return chance.whole(2, 4);
}

/** What the marketplaces keep of a sale, in hundredths of a percent of what the buyer pays. */
const COMMISSION: Readonly<Record<string, number>> = { Electronics: 800, Apparel: 1_700, Grocery: 800 };
const USUAL_COMMISSION = 1_500;

export interface Fees {
  readonly commission: Cents;
  /** Picking, packing and sending from the marketplace's warehouse; 0 for what the merchant ships. */
  readonly fulfillment: Cents;
}

/** What the marketplace keeps of so many pieces at that price. */
export function feesOf(item: MarketItem, price: Cents, shipping: Cents, quantity = 1): Fees {
  const rate = COMMISSION[item.category] ?? USUAL_COMMISSION;
  const isTheirs = item.fulfillmentType === 'FBA/WFS';
  return {
    commission: cents(Math.max(30, Math.round(((price * quantity + shipping) * rate) / 10_000))),
    fulfillment: cents(isTheirs ? quantity * (322 + 16 * Math.ceil(item.weightOunces / 4)) : 0),
  };
}
