import { competitorsAct } from './competitors.ts';
import { boxWeight, buyingAlone, buyingFirst, type ShownOffer } from './demand.ts';
import { AFTER_US, BEFORE_US, type Market } from './market.ts';
import { NO_HOLDER, type State, US } from './state.ts';

const WHOLE = 10_000;

/** The first half of an hour: deliveries, stock, a price of ours that buyers see from now on, competitors before us. */
export function startHour(market: Market, state: State): void {
  const { hour, sent } = state;
  state.units += market.deliveries?.[hour] ?? 0;
  setStock(state, US, state.units > 0 ? 1 : 0);
  for (const [index, { inStock }] of market.competitors.entries()) {
    setStock(state, index + 1, inStock[hour] as number);
  }
  if (sent !== null && sent.visibleFrom <= hour) {
    state.prices[US] = sent.price;
    state.sent = null;
    state.isStale = true;
  }
  competitorsAct(market, state, BEFORE_US);
}

/** Sends a price: buyers see it at once or after the hours that the market takes. @param price in cents */
export function sendPrice(market: Market, state: State, price: number): void {
  if (market.publishing > 0) {
    state.sent = { price, visibleFrom: state.hour + market.publishing };
  } else if (price !== state.prices[US]) {
    state.prices[US] = price;
    state.isStale = true;
  }
}

/** The second half: competitors after us, the buy box, the shoppers of the hour. */
export function endHour(market: Market, state: State): void {
  competitorsAct(market, state, AFTER_US);
  if (state.isStale) refresh(market, state);
  if (market.world.boxShoppers > 0) state.holder = nextHolder(market, state);
  serveShoppers(market, state);
  state.hour += 1;
}

/** What a unit leaves us, in cents: the fee is rounded up to the whole cent. */
export function unitProfit({ feeCharged, cost }: Pick<Market, 'feeCharged' | 'cost'>, price: number): number {
  return price - unitFee(feeCharged, price) - cost;
}

function unitFee(feeCharged: number, price: number): number {
  return Math.ceil((price * feeCharged) / WHOLE);
}

function serveShoppers(market: Market, state: State): void {
  const { visitsFrom, visitDraws, visitIsForBox } = market;
  const last = visitsFrom[state.hour + 1] as number;
  for (let visit = visitsFrom[state.hour] as number; visit < last; visit += 1) {
    state.tally.visits += 1;
    if (state.units <= 0) continue;
    const isForBox = visitIsForBox[visit] === 1;
    const share = isForBox ? (state.holder === US ? state.buyingFromBox : 0) : state.comparing;
    if ((visitDraws[visit] as number) < share) sell(market, state);
  }
}

function sell(market: Market, state: State): void {
  const { tally, prices } = state;
  state.units -= 1;
  const price = prices[US] as number;
  tally.units += 1;
  tally.revenue += price;
  tally.fees += unitFee(market.feeCharged, price);
  tally.costs += market.cost;
  tally.profit += unitProfit(market, price);
}

function setStock(state: State, seller: number, value: number): void {
  if (state.inStock[seller] === value) return;
  state.inStock[seller] = value;
  state.isStale = true;
}

/** Works out again what depends on prices and stock. */
function refresh(market: Market, state: State): void {
  const { prices, inStock, weights, heldWeights } = state;
  const shown: ShownOffer[] = [];
  for (const [seller, price] of prices.entries()) {
    const offer = { price, isWarehouse: isFromWarehouse(market, seller) };
    const isIn = inStock[seller] === 1;
    weights[seller] = isIn ? boxWeight(offer, false, market) : 0;
    heldWeights[seller] = isIn ? boxWeight(offer, true, market) : 0;
    if (isIn) shown.push(offer);
  }
  const isOursShown = inStock[US] === 1;
  state.comparing = isOursShown ? buyingFirst(shown, market) : 0;
  state.buyingFromBox = isOursShown ? buyingAlone(shown[0] as ShownOffer, market) : 0;
  state.isStale = false;
}

/** Whether the warehouse ships for a seller. */
export function isFromWarehouse({ world, competitors }: Market, seller: number): boolean {
  return seller === US ? !world.weShip : (competitors[seller - 1]?.isWarehouse ?? false);
}

/** Our part of the draws is always the first, so that a better offer of ours never loses an hour that a worse one won. */
function nextHolder(market: Market, { hour, holder, weights, heldWeights }: State): number {
  let sum = 0;
  for (const [seller, weight] of weights.entries()) {
    sum += seller === holder ? (heldWeights[seller] as number) : weight;
  }
  if (sum === 0) return NO_HOLDER;
  let left = (market.boxDraws[hour] as number) * sum;
  for (const [seller, weight] of weights.entries()) {
    left -= seller === holder ? (heldWeights[seller] as number) : weight;
    if (left < 0) return seller;
  }
  return NO_HOLDER;
}
