import { endHour, sendPrice, startHour } from './hour.ts';
import { HOURS, type Market } from './market.ts';
import { knownListing, type Policy, type Reading, type ReadOffer, sightOf } from './observation.ts';
import { firstState, type State, type Tally, US } from './state.ts';

/** What a policy achieved in one market. */
export interface Outcome extends Readonly<Tally> {
  /** Prices that were sent and differ from the one before. */
  readonly changes: number;
  /** Hours at or below `lowPrice`. */
  readonly hoursLow: number;
}

/**
 * Runs a policy through a whole market. It sees readings only, and the market sees its prices only.
 * @param lowPrice in cents; hours at or below it are counted
 */
export function runPolicy(market: Market, policy: Policy, lowPrice: number): Outcome {
  const pricing = policy.start(knownListing(market));
  const readings = readingsOf(market);
  return runMarket(market, lowPrice, (state) =>
    pricing.next({
      hour: state.hour,
      price: state.prices[US] as number,
      sent: state.sent?.price ?? null,
      reading: readings(state),
      stock: market.deliveries === null ? null : state.units,
      sold: state.tally.units,
    }),
  );
}

/**
 * Runs a market with prices that may come from knowledge no seller has.
 * @param priceAt is asked once per hour, after the competitors that act before us: a price in cents, or null to leave it
 */
export function runMarket(
  market: Market,
  lowPrice: number,
  priceAt: (state: State) => number | null,
): Outcome {
  const state = firstState(market, market.startPrice);
  let requested = market.startPrice;
  let changes = 0;
  let hoursLow = 0;
  while (state.hour < HOURS) {
    startHour(market, state);
    const price = priceAt(state);
    if (price !== null && price !== requested) {
      sendPrice(market, state, price);
      requested = price;
      changes += 1;
    }
    if ((state.prices[US] as number) <= lowPrice) hoursLow += 1;
    endHour(market, state);
  }
  return { ...state.tally, changes, hoursLow };
}

/** The newest reading, hour by hour: it shows what was to be seen some hours ago. */
function readingsOf(market: Market): (state: State) => Reading | null {
  const { hoursBehind, coverage } = market.world.readings;
  const sights: (readonly ReadOffer[])[] = [];
  let newest: Reading | null = null;
  return (state) => {
    if (coverage === 'none') return null;
    if (hoursBehind > 0 || market.readings[state.hour] === 1) sights.push(sightOf(market, state));
    if (market.readings[state.hour] === 1) {
      const offers = hoursBehind === 0 ? sights.at(-1) : sights[state.hour - hoursBehind];
      if (offers !== undefined) newest = { arrivedAt: state.hour, offers };
    }
    return newest;
  };
}
