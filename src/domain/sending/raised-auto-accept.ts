import { type AllowedPrices, lowestAllowedFrom } from '#domain/limits/allowed-prices.ts';
import { type Cents, isPrice } from '#domain/units.ts';
import { isBelowAllowed } from './business-prices.ts';

/** A listing with offers of buyers that its marketplace accepts without the seller. */
export interface AutoAccepted {
  /** From this price on. */
  readonly autoAccept: Cents;
  /** What buyers pay without an offer. */
  readonly price: Cents;
  /** By the seller's own margins and limits. */
  readonly allowed: AllowedPrices;
}

/**
 * Where the price from which offers are accepted is raised to: the lowest allowed price from there on, but below the
 * listing's price, since eBay refuses others (error 23004; autoAcceptPrice in
 * https://developer.ebay.com/api-docs/sell/inventory/types/slr:BestOffer). It is never lowered.
 * @returns null where it stays
 */
export function raisedAutoAccept({ autoAccept, price, allowed }: AutoAccepted): Cents | null {
  if (!isBelowAllowed(autoAccept, allowed)) return null;
  const lowest = lowestAllowedFrom(allowed, autoAccept);
  const raised = lowest === null ? null : Math.min(lowest, price - 1);
  return raised !== null && raised > autoAccept && isPrice(raised) ? raised : null;
}
