import { unitProfit } from './hour.ts';
import { type Market, MINIMUM_MARGIN } from './market.ts';
import type { Policy } from './observation.ts';

/** The share by which each price of the grid is above the one before. */
const GRID_STEP = 0.02;
/** The highest price of the grid, in usual prices. */
const GRID_TOP = 1.5;
const WHOLE = 10_000;

/** Keeps one price. */
export function constant(price: number): Policy {
  return { name: `constant ${price}`, start: () => ({ next: () => price }) };
}

/**
 * Prices in cents, from the lowest with the minimum margin to half more than the usual one, 2% apart. A seller's minimum
 * margin binds every policy, so the bound keeps it too.
 */
export function priceGrid(market: Market): number[] {
  const grid: number[] = [];
  const top = market.usual * GRID_TOP;
  for (let price = trueFloor(market); price <= top; price = Math.ceil(price * (1 + GRID_STEP))) {
    grid.push(price);
  }
  return grid;
}

/** The lowest price that leaves the minimum margin after what is really charged, in cents. */
export function trueFloor(market: Market): number {
  let price = Math.floor((market.cost * WHOLE) / (WHOLE - market.feeCharged - MINIMUM_MARGIN));
  while (unitProfit(market, price) * WHOLE < price * MINIMUM_MARGIN) price += 1;
  return price;
}
