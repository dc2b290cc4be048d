import type { Marketplace } from '#domain/marketplaces.ts';
import type { Cents } from '#domain/units.ts';
import type { ListingFacts } from './facts.ts';

/** Our price for the same SKU on another marketplace. */
export interface OwnPrice {
  readonly marketplace: Marketplace;
  readonly price: Cents;
  readonly shippingCharge: Cents;
  /**
   * Every price that was in force or sent there within the last 24 hours. Absent where the listing is compared with no offer there
   * that has no seller, and in decisions from before these prices were compared.
   */
  readonly ownPrices?: readonly Cents[];
}

/** Two of our channels with different landed prices. */
export interface ChannelGap {
  readonly dear: Marketplace;
  readonly cheap: Marketplace;
  /** The difference; above zero. */
  readonly by: Cents;
  /** The price opens or widens the gap; one that only narrows it is no reason for review. */
  readonly isWider: boolean;
}

/** Marketplaces that suppress offers sold for less on other channels. */
const PRICE_COMPARING: ReadonlySet<Marketplace> = new Set(['walmart', 'amazon']);

interface ChannelPrice {
  readonly marketplace: Marketplace;
  readonly landed: number;
}

/**
 * Whether a price of this listing makes the SKU's landed price on Walmart or Amazon higher than on another channel.
 * @param facts complete ones
 * @returns the largest gap that involves this listing, widened ones first; null if there is none
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
    if (!PRICE_COMPARING.has(dear.marketplace)) continue;
    const gap = gapOf(dear, after, before, others);
    if (gap !== null && (widest === null || isWorse(gap, widest))) widest = gap;
  }
  return widest;
}

/** The gap above the lowest other channel, if one of the two is the listing whose price moves. */
function gapOf(
  dear: ChannelPrice,
  after: ChannelPrice,
  before: ChannelPrice,
  others: readonly ChannelPrice[],
): ChannelGap | null {
  const isOurs = dear === after;
  const cheap = lowestOf(isOurs ? others : [after, ...others.filter((other) => other !== dear)]);
  if (!isOurs && cheap !== after) return null;
  const by = dear.landed - cheap.landed;
  if (!(by > 0)) return null;
  const cheapBefore = isOurs
    ? cheap.landed
    : lowestOf([before, ...others.filter((other) => other !== dear)]).landed;
  const byBefore = Math.max(0, (isOurs ? before : dear).landed - cheapBefore);
  return {
    dear: dear.marketplace,
    cheap: cheap.marketplace,
    by: by as Cents,
    isWider: by > byBefore,
  };
}

/** @param prices at least one; of equal ones the first */
function lowestOf(prices: readonly ChannelPrice[]): ChannelPrice {
  return prices.reduce((lowest, price) => (price.landed < lowest.landed ? price : lowest));
}

function isWorse(a: ChannelGap, b: ChannelGap): boolean {
  return a.isWider === b.isWider ? a.by > b.by : a.isWider;
}
