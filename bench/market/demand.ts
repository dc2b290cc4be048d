import type { Market } from './market.ts';

/** An offer as a shopper sees it. */
export interface ShownOffer {
  /** What the buyer pays, in cents. */
  readonly price: number;
  readonly isWarehouse: boolean;
}

/** What shoppers know and want: the part of a market that demand depends on. */
export type Taste = Pick<Market, 'usual' | 'warehousePremium'>;

/** The share of visits that end with a purchase at the usual price, from the only seller. */
const BUYING_AT_USUAL = 0.35;
/** How strongly the price decides whether a shopper buys: at the usual price the price elasticity is -2.6. */
const BUYING_SLOPE = 4;
/** How strongly the price decides between sellers: of two that ship alike, one 4% below the other gets 73%. */
const SELLER_SLOPE = 25;
/** The same for the buy box: 4% below gets 88% of the hours. */
const BOX_SLOPE = 50;
/** The price that holding the buy box is worth in keeping it, as a share of the usual price. */
const HOLDING_PREMIUM = 0.01;

/** What an offer is worth to a shopper, as a share of the usual price, compared with the usual price shipped by a merchant. */
function worthOf({ price, isWarehouse }: ShownOffer, { usual, warehousePremium }: Taste): number {
  return 1 - price / usual + (isWarehouse ? warehousePremium : 0);
}

/** The share of shoppers who buy where this is the only offer: a logit in price. */
export function buyingAlone(offer: ShownOffer, taste: Taste): number {
  return buyingAt(worthOf(offer, taste));
}

/**
 * The share of comparing shoppers who buy the first offer. A nested logit: first between the sellers, then whether to buy at
 * all, by what the best of them are worth together.
 * @param offers at least one
 */
export function buyingFirst(offers: readonly ShownOffer[], taste: Taste): number {
  const weights = offers.map((offer) => Math.exp(SELLER_SLOPE * worthOf(offer, taste)));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return (buyingAt(Math.log(sum) / SELLER_SLOPE) * (weights[0] as number)) / sum;
}

/** An offer's weight in the buy box; its odds are its share of all weights. */
export function boxWeight(offer: ShownOffer, isHolder: boolean, taste: Taste): number {
  return Math.exp(BOX_SLOPE * (worthOf(offer, taste) + (isHolder ? HOLDING_PREMIUM : 0)));
}

function buyingAt(value: number): number {
  return 1 / (1 + Math.exp(-Math.log(BUYING_AT_USUAL / (1 - BUYING_AT_USUAL)) - BUYING_SLOPE * value));
}
