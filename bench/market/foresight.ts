import { priceGrid } from './constants.ts';
import { boxWeight, buyingAlone, buyingFirst, type ShownOffer } from './demand.ts';
import { endHour, isFromWarehouse, sendPrice, startHour, unitProfit } from './hour.ts';
import { HOURS, type Market } from './market.ts';
import { copyOf, type State, US } from './state.ts';

/** Hours between two decisions with foresight, and how far it sees. */
const DECIDING_EVERY = 12;
const SEEING = 72;
/** Of the grid's prices, foresight tries every second one. */
const TRYING_EVERY = 2;

/** Sets prices from what no seller knows. */
export type Insider = (market: Market) => (state: State) => number | null;

/** Knows what shoppers want and every price of the hour: the price of the grid that earns most right now. */
export const bestResponse: Insider = (market) => {
  const grid = priceGrid(market);
  let key = '';
  let best = market.startPrice;
  return (state) => {
    const now = `${state.prices.slice(1)} ${state.inStock} ${state.holder === US}`;
    if (now === key) return null;
    key = now;
    best = bestOf(grid, (price) => expectedProfit(market, state, price));
    return best;
  };
};

/** Knows the future, shoppers and competitors alike: twice a day the price that would earn most if kept for three days. */
export const foresight: Insider = (market) => {
  const candidates = priceGrid(market).filter((_, index) => index % TRYING_EVERY === 0);
  return (state) =>
    state.hour % DECIDING_EVERY === 0
      ? bestOf(candidates, (price) => profitOfKeeping(market, state, price))
      : null;
};

/** What an hour's visit brings on average at a price of ours, in cents. */
function expectedProfit(market: Market, state: State, price: number): number {
  if (state.inStock[US] === 0) return 0;
  const ours: ShownOffer = { price, isWarehouse: isFromWarehouse(market, US) };
  const shown: ShownOffer[] = [ours];
  const ourWeight = boxWeight(ours, state.holder === US, market);
  let weights = ourWeight;
  for (const [seller, other] of state.prices.entries()) {
    if (seller === US || state.inStock[seller] === 0) continue;
    const offer = { price: other, isWarehouse: isFromWarehouse(market, seller) };
    shown.push(offer);
    weights += boxWeight(offer, state.holder === seller, market);
  }
  const { boxShoppers } = market.world;
  const fromBox = boxShoppers * (ourWeight / weights) * buyingAlone(ours, market);
  return unitProfit(market, price) * (fromBox + (1 - boxShoppers) * buyingFirst(shown, market));
}

function profitOfKeeping(market: Market, now: State, price: number): number {
  const state = copyOf(now);
  const end = Math.min(HOURS, now.hour + SEEING);
  sendPrice(market, state, price);
  endHour(market, state);
  while (state.hour < end) {
    startHour(market, state);
    endHour(market, state);
  }
  return state.tally.profit;
}

/** @param prices at least one; of equals the lower one */
function bestOf(prices: readonly number[], value: (price: number) => number): number {
  let best = prices[0] as number;
  let most = Number.NEGATIVE_INFINITY;
  for (const price of prices) {
    const worth = value(price);
    if (worth <= most) continue;
    most = worth;
    best = price;
  }
  return best;
}
