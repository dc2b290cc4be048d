import type { Db } from '#db/client.ts';
import { readToUpload } from '#db/queries/repricing/price-file.ts';
import { checkManualPrice, manualPriceMargin } from '#domain/decision/manual-price.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import { type Cents, type Instant, MAX_CENTS } from '#domain/units.ts';
import { loadPricingInputs, type PricingInput } from '#usecases/repricing/pricing/load-pricing-inputs.ts';
import { loadPricingContext } from '#usecases/repricing/pricing/pricing-context.ts';

const BATCH_SIZE = 1_000;

/**
 * Prices of a marketplace that wait for upload and must be withheld: allowed when they were set, but by current facts below
 * the minimum margin, or impossible to check because a fact is missing.
 * @param batch listings per statement
 * @returns IDs of their listings
 */
export async function findWithheldPrices(
  db: Db,
  marketplace: Marketplace,
  now: Instant,
  batch = BATCH_SIZE,
): Promise<number[]> {
  const context = await loadPricingContext(db, now);
  const waiting = await readToUpload(db, marketplace);
  const withheld: number[] = [];
  for (let from = 0; from < waiting.length; from += batch) {
    const cases = await loadPricingInputs(db, context, waiting.slice(from, from + batch));
    withheld.push(...cases.filter(breaksMargin).map(({ listing }) => listing.id));
  }
  return withheld;
}

function breaksMargin({ listing, facts, choice }: PricingInput): boolean {
  const minimumMargin = manualPriceMargin(choice, facts);
  // The seller may have changed these limits since on purpose. With them, a price outside of them is checked no further.
  const unlimited = { ...facts, minPrice: null, maxPrice: MAX_CENTS as Cents };
  return !checkManualPrice(unlimited, minimumMargin, listing.currentPrice).isAllowed;
}
