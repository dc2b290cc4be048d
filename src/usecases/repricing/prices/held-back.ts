import type { Db } from '#db/client.ts';
import { readToUpload } from '#db/queries/repricing/price-file.ts';
import { checkManualPrice, type ManualPriceLimit, manualPriceMargin } from '#domain/manual-price.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import type { Instant } from '#domain/units.ts';
import { loadPricingInputs, type PricingInput } from '#usecases/repricing/pricing/load-pricing-inputs.ts';
import { loadPricingContext } from '#usecases/repricing/pricing/pricing-context.ts';

const BATCH = 1_000;

/** What a seller changed their mind about since is theirs to know; what would lose money does not leave. */
const NO_LOSS: ReadonlySet<ManualPriceLimit> = new Set(['min_price', 'max_price', 'ceiling']);

/**
 * The prices of a marketplace that wait for their upload and must not leave: legal when they were taken, and by the facts
 * of this moment below the minimum margin, or no longer to be checked because a fact is missing.
 * @param batch listings that are looked at together
 * @returns ids of their listings
 */
export async function heldBackPrices(
  db: Db,
  marketplace: Marketplace,
  now: Instant,
  batch = BATCH,
): Promise<number[]> {
  const shop = await loadPricingContext(db, now);
  const waiting = await readToUpload(db, marketplace);
  const heldBack: number[] = [];
  for (let from = 0; from < waiting.length; from += batch) {
    const cases = await loadPricingInputs(db, shop, waiting.slice(from, from + batch));
    heldBack.push(...cases.filter(breaksMargin).map(({ listing }) => listing.id));
  }
  return heldBack;
}

function breaksMargin({ listing, facts, choice }: PricingInput): boolean {
  const minimumMargin = manualPriceMargin(choice, facts);
  const { limit } = checkManualPrice(facts, minimumMargin, listing.currentPrice);
  return limit !== null && !NO_LOSS.has(limit);
}
