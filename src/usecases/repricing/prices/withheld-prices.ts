import type { Db } from '#db/client.ts';
import { readToUpload } from '#db/queries/repricing/price-file.ts';
import { checkManualPrice, type ManualPriceLimit, manualPriceMargin } from '#domain/decision/manual-price.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import type { Instant } from '#domain/units.ts';
import { loadPricingInputs, type PricingInput } from '#usecases/repricing/pricing/load-pricing-inputs.ts';
import { loadPricingContext } from '#usecases/repricing/pricing/pricing-context.ts';

const BATCH_SIZE = 1_000;

/** Limits the seller may have changed since on purpose; only prices that break the minimum margin are withheld. */
const NO_LOSS: ReadonlySet<ManualPriceLimit> = new Set(['min_price', 'max_price', 'ceiling']);

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
  const { limit } = checkManualPrice(facts, minimumMargin, listing.currentPrice);
  return limit !== null && !NO_LOSS.has(limit);
}
