import type { BelowMarginFloor } from '#contract/costs.ts';
import type { Db } from '#db/client.ts';
import { centsFromDecimal, decimalFromCents } from '#domain/decimal.ts';
import { checkManualPrice, manualPriceMargin } from '#domain/decision/manual-price.ts';
import type { Instant } from '#domain/units.ts';
import { loadPricingInputs, type PricingInput } from '#usecases/repricing/pricing/load-pricing-inputs.ts';
import { loadPricingContext } from '#usecases/repricing/pricing/pricing-context.ts';

const BATCH = 1_000;
const MAX_NAMED = 50;

/**
 * The listings among these that are priced below their margin floor; the 50 that are furthest below are returned by
 * name, worst first.
 */
export async function findBelowMarginFloor(
  db: Db,
  ids: readonly number[],
  now: Instant,
): Promise<{ readonly belowMarginFloorCount: number; readonly belowMarginFloor: BelowMarginFloor[] }> {
  const shop = await loadPricingContext(db, now);
  const below: BelowMarginFloor[] = [];
  for (let from = 0; from < ids.length; from += BATCH) {
    const cases = await loadPricingInputs(db, shop, ids.slice(from, from + BATCH));
    below.push(...cases.flatMap((pricingInput) => belowMarginFloorOf(pricingInput) ?? []));
  }
  return { belowMarginFloorCount: below.length, belowMarginFloor: furthestBelow(below) };
}

/** The worst, first to last, as many as are returned by name. */
export function furthestBelow(below: readonly BelowMarginFloor[]): BelowMarginFloor[] {
  const shortBy = ({ marginFloor, currentPrice }: BelowMarginFloor): number =>
    centsFromDecimal(marginFloor) - centsFromDecimal(currentPrice);
  return below.toSorted((a, b) => shortBy(b) - shortBy(a)).slice(0, MAX_NAMED);
}

/** A listing priced below its margin floor, with both; null for every other. */
export function belowMarginFloorOf({ listing, facts, choice }: PricingInput): BelowMarginFloor | null {
  const minimumMargin = manualPriceMargin(choice, facts);
  const { limit, set } = checkManualPrice(facts, minimumMargin, listing.currentPrice);
  const floor = set?.marginFloor ?? null;
  if (limit !== 'floor' || floor === null) return null;
  const { id, marketplace, sku, title, currentPrice } = listing;
  return {
    listingId: String(id),
    marketplace,
    sku,
    title,
    currentPrice: decimalFromCents(currentPrice),
    marginFloor: decimalFromCents(floor),
  };
}
