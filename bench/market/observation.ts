import { isFromWarehouse } from './hour.ts';
import type { Market } from './market.ts';
import { NO_HOLDER, type State, US } from './state.ts';

/** One offer as a reading shows it. Prices are what the buyer pays, in cents. */
export interface ReadOffer {
  /** Null where the marketplace does not say who it is. */
  readonly seller: string | null;
  readonly price: number;
  readonly isWarehouse: boolean;
  readonly isFeatured: boolean;
}

/** A reading of the market, ours included. What it shows can be older than the time at which it arrived. */
export interface Reading {
  /** The hour in which it arrived. */
  readonly arrivedAt: number;
  readonly offers: readonly ReadOffer[];
}

/** What the seller of a listing knows before the market opens. Prices are in cents. */
export interface KnownListing extends Pick<Market, 'cost' | 'startPrice' | 'feeExpected'> {
  readonly marketplace: Market['world']['marketplace'];
  readonly weShip: boolean;
  readonly coverage: Market['world']['readings']['coverage'];
}

/** What a policy sees in an hour. */
export interface Observation {
  /** Whole hours since the start. */
  readonly hour: number;
  /** What buyers see, in cents. */
  readonly price: number;
  /** A price of ours that buyers do not see yet. */
  readonly sent: number | null;
  /** The newest that arrived; the same object until the next. Null before the first, and where there are none. */
  readonly reading: Reading | null;
  /** Our units; null where we never run out. */
  readonly stock: number | null;
  /** Units sold since the start. */
  readonly sold: number;
}

/** Sets the price of one listing hour by hour; it keeps what it has to remember. */
export interface Pricing {
  /** @returns a new price in cents, or null to leave it */
  next(observation: Observation): number | null;
}

/** A way of setting prices. */
export interface Policy {
  readonly name: string;
  /** For one run, without a memory of earlier ones. */
  start(listing: KnownListing): Pricing;
}

export const OUR_NAME = 'Our Shop';

export function knownListing({ world, cost, startPrice, feeExpected }: Market): KnownListing {
  const { marketplace, weShip, readings } = world;
  return { marketplace, weShip, coverage: readings.coverage, cost, startPrice, feeExpected };
}

/** What a reading would show now. */
export function sightOf(market: Market, { prices, inStock, holder }: State): readonly ReadOffer[] {
  const { competitors, isNamed, world } = market;
  const offers: ReadOffer[] = [];
  for (const [seller, price] of prices.entries()) {
    const isFeatured = seller === holder;
    if (inStock[seller] === 0 || (world.readings.coverage === 'box' && !isFeatured)) continue;
    const name = seller === US ? OUR_NAME : (competitors[seller - 1]?.name ?? null);
    offers.push({
      seller: isNamed ? name : null,
      price,
      isWarehouse: isFromWarehouse(market, seller),
      isFeatured: holder !== NO_HOLDER && isFeatured,
    });
  }
  return offers;
}
