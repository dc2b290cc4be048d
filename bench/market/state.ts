import type { Market } from './market.ts';

/** The number of our own offer; competitor 1 is the first of the market's. */
export const US = 0;
/** Without a buy box, or while no offer is in stock. */
export const NO_HOLDER = -1;

/** What the market has brought so far. Amounts are in cents. */
export interface Tally {
  units: number;
  revenue: number;
  fees: number;
  costs: number;
  profit: number;
  /** Visits, bought or not. */
  visits: number;
}

/** A market at one time. Plain data, so that a policy that knows the future can try one. */
export interface State {
  /** Whole hours since the start. */
  hour: number;
  /** What buyers pay, in cents, by seller. */
  readonly prices: Float64Array;
  /** 1 in stock, by seller. */
  readonly inStock: Uint8Array;
  /** The seller with the buy box. */
  holder: number;
  /** A price of ours that buyers do not see yet. */
  sent: { readonly price: number; readonly visibleFrom: number } | null;
  /** Our units; infinite where we never run out. */
  units: number;
  readonly tally: Tally;
  /** What depends on prices and stock has to be worked out again. */
  isStale: boolean;
  /** The share of comparing shoppers who buy from us, while not stale. */
  comparing: number;
  /** The share of buy box shoppers who buy while the box is ours, while not stale. */
  buyingFromBox: number;
  /** By seller, without and with the advantage of holding the box, while not stale; 0 out of stock. */
  readonly weights: Float64Array;
  readonly heldWeights: Float64Array;
}

/** The market in its first hour, with our price. */
export function firstState(market: Market, price: number): State {
  const sellers = market.competitors.length + 1;
  const prices = Float64Array.from([price, ...market.competitors.map(firstPrice)]);
  return {
    hour: 0,
    prices,
    inStock: new Uint8Array(sellers).fill(1),
    holder: NO_HOLDER,
    sent: null,
    units: market.deliveries === null ? Number.POSITIVE_INFINITY : 0,
    tally: { units: 0, revenue: 0, fees: 0, costs: 0, profit: 0, visits: 0 },
    isStale: true,
    comparing: 0,
    buyingFromBox: 0,
    weights: new Float64Array(sellers),
    heldWeights: new Float64Array(sellers),
  };
}

function firstPrice({ kind, lowest, list }: Market['competitors'][number]): number {
  return kind === 'dumper' ? lowest : list;
}

/** A copy that can be taken into a future without changing this one. */
export function copyOf(state: State): State {
  return {
    ...state,
    prices: state.prices.slice(),
    inStock: state.inStock.slice(),
    tally: { ...state.tally },
    weights: state.weights.slice(),
    heldWeights: state.heldWeights.slice(),
  };
}
