import type { Cents } from '#domain/units.ts';
import type { Chance } from './chance.ts';
import type { MarketItem } from './item.ts';
import { appeal, featuredOffer, shownOffers } from './offers.ts';
import type { Choice } from './orders.ts';

/**
 * A shopper visits a page. Four of five consider only the featured offer, the others compare all offers by landed
 * price and delivery speed; no shopper pays more than their own limit.
 * @param averageLimit the landed price that shoppers accept on average
 */
export function shop(item: MarketItem, averageLimit: Cents, chance: Chance): Choice {
  const featured = featuredOffer(item);
  const takesFeatured = chance.happens(0.8);
  const limit = averageLimit * Math.exp(0.25 * bell(chance));
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

/** Bell-shaped around 0, mostly between -2 and 2. */
function bell(chance: Chance): number {
  return (chance.next() + chance.next() + chance.next() - 1.5) * 2;
}

/** The quantity of an order, mostly 1. */
export function pieces(chance: Chance): number {
  if (!chance.happens(0.15)) return 1;
  return chance.whole(2, 4);
}
