import type { ListingFacts } from '#domain/decision/facts.ts';
import type { FulfillmentStep } from './fee-basis.ts';

/** Prices without shipping, both ends included. */
export interface PriceSpan {
  readonly from: number;
  readonly to: number;
}

/**
 * Whether a fee is in force that was reported for many listings at once, and that no administrator has accepted.
 * @param span the prices that a decision is about: a doubted fulfillment fee of a price band beyond them decides nothing; null
 *   for any price
 */
export function areFeesDoubted({ fees }: Pick<ListingFacts, 'fees'>, span: PriceSpan | null = null): boolean {
  if (fees === null) return false;
  const { source, fulfillment } = fees.basis;
  if (source.kind === 'told' && source.isDoubted === true) return true;
  let above = 0;
  for (let at = 0; at < fulfillment.length; at += 1) {
    const { upTo, isDoubted } = fulfillment[at] as FulfillmentStep;
    const isNear = span === null || ((upTo === null || span.from <= upTo) && span.to > above);
    if (isDoubted && isNear) return true;
    above = upTo ?? above;
  }
  return false;
}
