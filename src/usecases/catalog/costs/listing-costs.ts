import type { ListingCosts } from '#contract/costs.ts';
import type { Db } from '#db/client.ts';
import { readCostOrigin, readSharing } from '#db/queries/catalog/listing-costs.ts';
import { decimalFromCents } from '#domain/decimal.ts';
import { fixFor } from '#domain/decision/fix.ts';
import type { Instant } from '#domain/units.ts';
import { loadCase } from '#usecases/repricing/prices/priced-listing.ts';
import { costParts, whySkuCostsAreFixed } from './cost-parts.ts';

const MAX_OTHERS = 1_000;

/**
 * The cost of one listing part by part, for its editor.
 * @throws AppError not_found
 */
export async function readListingCosts(db: Db, listingId: number, now: Instant): Promise<ListingCosts> {
  const pricingInput = await loadCase(db, listingId, now);
  const { listing, facts } = pricingInput;
  const origin = await readCostOrigin(db, listingId);
  const isFixed = whySkuCostsAreFixed(pricingInput.listing, origin) !== null;
  const others = isFixed ? [] : await readSharing(db, listingId);
  const { marketplace, sku, title, fulfillmentType, currentPrice, version } = listing;
  return {
    listingId: String(listingId),
    marketplace,
    sku,
    title,
    fulfillmentType,
    version,
    currentPrice: decimalFromCents(currentPrice),
    isBundle: origin.isBundle,
    skuVersion: origin.skuVersion,
    parts: costParts(pricingInput, origin),
    totalCost: facts.cost.total === null ? null : decimalFromCents(facts.cost.total),
    missing: facts.cost.gaps.map((gap) =>
      fixFor('unknown_cost', { ...facts, cost: { ...facts.cost, gaps: [gap] } }),
    ),
    gaps: [...new Set(facts.cost.gaps.map(({ kind }) => kind))],
    others: others
      .slice(0, MAX_OTHERS)
      .map((other) => ({ listingId: String(other.id), marketplace: other.marketplace, sku: other.sku })),
  };
}
