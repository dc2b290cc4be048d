import type { ApplyPreview } from '#contract/price-actions.ts';
import { withRecommendation } from '#db/queries/catalog/listing-writes.ts';
import { readGroupMembers } from '#db/queries/repricing/price-groups.ts';
import { decimalFromCents, decimalFromMargin } from '#domain/decimal.ts';
import type { Bps } from '#domain/units.ts';
import type { ListingDeps } from '#usecases/catalog/listings/listing-deps.ts';
import { loadPricingInputs, type PricingInput } from '#usecases/repricing/pricing/load-pricing-inputs.ts';
import { loadPricingContext } from '#usecases/repricing/pricing/pricing-context.ts';
import { type Applicable, applicablePrice } from './applicable-price.ts';
import { whyNot } from './apply-prices.ts';

const BATCH_SIZE = 1_000;
const MAX_ROWS = 50;
const MAX_BLOCKED = 50;

interface Counted {
  count: number;
  raised: number;
  lowered: number;
  moves: { move: number; row: ApplyPreview['rows'][number] }[];
  blocked: ApplyPreview['blocked'];
  blockedCount: number;
}

/**
 * Previews applying the recommendations of these listings. Nothing changes.
 * @param ids any number; those without a recommendation are ignored, and those that share a price are added
 */
export async function previewApply({ db, now }: ListingDeps, ids: readonly number[]): Promise<ApplyPreview> {
  const shop = await loadPricingContext(db, now());
  const counted: Counted = { count: 0, raised: 0, lowered: 0, moves: [], blocked: [], blockedCount: 0 };
  const chosen = await withRecommendation(db, ids);
  const waiting = [...new Set([...chosen, ...(await readGroupMembers(db, chosen))])];
  for (let from = 0; from < waiting.length; from += BATCH_SIZE) {
    const cases = await loadPricingInputs(db, shop, waiting.slice(from, from + BATCH_SIZE));
    for (const pricingInput of cases) count(counted, pricingInput, applicablePrice(pricingInput));
    // Only the largest are shown, so not all moves need to be kept.
    counted.moves.sort((a, b) => b.move - a.move).splice(MAX_ROWS);
  }
  const { moves, ...rest } = counted;
  return { ...rest, rows: moves.map(({ row }) => row) };
}

function count(counted: Counted, pricingInput: PricingInput, applicable: Applicable): void {
  const { id, sku, title, currentPrice } = pricingInput.listing;
  const message = whyNot(pricingInput, applicable);
  if (message !== null || applicable.kind === 'none') {
    counted.blockedCount += 1;
    if (counted.blocked.length < MAX_BLOCKED) {
      counted.blocked.push({ listingId: String(id), sku, message: message ?? 'There is no price to apply.' });
    }
    return;
  }
  const { price, before, after } = applicable;
  counted.count += 1;
  if (price > currentPrice) counted.raised += 1;
  else counted.lowered += 1;
  const row = {
    listingId: String(id),
    sku,
    title,
    oldPrice: decimalFromCents(currentPrice),
    newPrice: decimalFromCents(price),
    marginBefore: percentOrNull(before),
    marginAfter: percentOrNull(after),
  };
  counted.moves.push({ move: Math.abs(price - currentPrice) / currentPrice, row });
}

function percentOrNull(share: Bps | null): string | null {
  return share === null ? null : decimalFromMargin(share);
}
