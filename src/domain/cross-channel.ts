import type { ListingFacts } from './facts.ts';
import type { Marketplace } from './marketplaces.ts';
import type { Cents } from './units.ts';

/** What we ask for the same SKU on another marketplace. */
export interface OwnPrice {
  readonly marketplace: Marketplace;
  readonly price: Cents;
  readonly shippingCharge: Cents;
}

/** One marketplace on which we ask more than on another, delivered. */
export interface ChannelGap {
  readonly dear: Marketplace;
  readonly cheap: Marketplace;
  /** How much more; above zero. */
  readonly by: Cents;
  /** The price opens the gap or widens it: one that only narrows it is no reason to refuse. */
  readonly isWider: boolean;
}

/** They look at our prices elsewhere, and hide offers that are cheaper there. */
const WATCHFUL: ReadonlySet<Marketplace> = new Set(['walmart', 'amazon']);

interface Ask {
  readonly marketplace: Marketplace;
  readonly landed: number;
}

/**
 * Whether a price of this listing leaves the SKU dearer on Walmart or Amazon than on another of our channels.
 * @param facts complete ones
 * @returns the widest gap that the price has a part in, those that it widens first; null when there is none
 */
export function channelGap(facts: ListingFacts, price: Cents): ChannelGap | null {
  const { marketplace, elsewhere } = facts;
  if (elsewhere.length === 0) return null;
  const charge = facts.shippingCharge ?? 0;
  const others = elsewhere.map((own) => ({
    marketplace: own.marketplace,
    landed: own.price + own.shippingCharge,
  }));
  const after = { marketplace, landed: price + charge };
  const before = { marketplace, landed: (facts.currentPrice ?? price) + charge };
  let widest: ChannelGap | null = null;
  for (const dear of [after, ...others]) {
    if (!WATCHFUL.has(dear.marketplace)) continue;
    const gap = gapOf(dear, after, before, others);
    if (gap !== null && (widest === null || isWorse(gap, widest))) widest = gap;
  }
  return widest;
}

/** The gap above the cheapest other channel, if one of the two is the listing whose price moves. */
function gapOf(dear: Ask, after: Ask, before: Ask, others: readonly Ask[]): ChannelGap | null {
  const isOurs = dear === after;
  const cheap = cheapestOf(isOurs ? others : [after, ...others.filter((other) => other !== dear)]);
  if (!isOurs && cheap !== after) return null;
  const by = dear.landed - cheap.landed;
  if (!(by > 0)) return null;
  const cheapBefore = isOurs
    ? cheap.landed
    : cheapestOf([before, ...others.filter((other) => other !== dear)]).landed;
  const byBefore = Math.max(0, (isOurs ? before : dear).landed - cheapBefore);
  return {
    dear: dear.marketplace,
    cheap: cheap.marketplace,
    by: by as Cents,
    isWider: by > byBefore,
  };
}

/** @param asks at least one; of equal ones the first */
function cheapestOf(asks: readonly Ask[]): Ask {
  return asks.reduce((least, ask) => (ask.landed < least.landed ? ask : least));
}

function isWorse(a: ChannelGap, b: ChannelGap): boolean {
  return a.isWider === b.isWider ? a.by > b.by : a.isWider;
}
