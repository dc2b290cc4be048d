import { type Bps, WHOLE } from '#domain/units.ts';
import { ASSUMED_SALES_TAX } from './compose-fees.ts';

/** Orders that tell the seller's own share of sales tax. */
const MIN_ORDERS = 30;
const HIGHEST = 3_000;
/** It is learned in tenths of a percent. */
const STEP = 10;

/** What settled orders tell of sales tax, in cents. */
export interface TaxedOrders {
  readonly orders: number;
  readonly revenue: number;
  readonly tax: number;
}

/**
 * Sales tax over the revenue of settled orders, rounded up to a tenth of a percent.
 * @returns null where they are too few, or cannot be right
 */
export function learnedSalesTax({ orders, revenue, tax }: TaxedOrders): Bps | null {
  if (orders < MIN_ORDERS || revenue <= 0 || tax < 0) return null;
  const share = Math.ceil((tax * WHOLE) / revenue / STEP) * STEP;
  return share > HIGHEST ? null : (share as Bps);
}

/** The share that counts: one that a user entered, else the learned one, else the assumed one. */
export function salesTaxInForce(entered: Bps, learned: Bps | null): Bps {
  return entered === ASSUMED_SALES_TAX ? (learned ?? entered) : entered;
}
