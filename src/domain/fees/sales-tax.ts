import { type Bps, WHOLE } from '#domain/units.ts';
import { ASSUMED_SALES_TAX } from './compose-fees.ts';

/** Orders that report the seller's own share of sales tax. */
const MIN_ORDERS = 30;
const HIGHEST = 3_000;
/** It is learned in tenths of a percent. */
const STEP = 10;

/** What settled orders report of sales tax, in cents. */
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

/** Where the sales tax of a marketplace comes from: a user entered it, the seller's orders report it, or neither. */
export const SALES_TAX_SOURCES = ['entered', 'learned', 'assumed'] as const;
export type SalesTaxSource = (typeof SALES_TAX_SOURCES)[number];

/** Sales tax as a share of revenue, and where it comes from. */
export interface CountedSalesTax {
  readonly share: Bps;
  readonly source: SalesTaxSource;
}

/**
 * The share that counts: one that a user entered, else the learned one, else the assumed one.
 * @param entered null: none was entered, which is not the same as the assumed share
 * @param learned null: too few orders
 */
export function countedSalesTax(entered: Bps | null, learned: Bps | null): CountedSalesTax {
  if (entered !== null) return { share: entered, source: 'entered' };
  if (learned !== null) return { share: learned, source: 'learned' };
  return { share: ASSUMED_SALES_TAX, source: 'assumed' };
}
