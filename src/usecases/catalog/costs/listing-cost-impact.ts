import type { ListingCostImpactRequest, SalesImpact } from '#contract/costs.ts';
import type { ListingDeps } from '#usecases/catalog/listings/listing-deps.ts';
import { datedOf } from '#usecases/catalog/listings/write-fields.ts';
import { listingCostEffect } from '#usecases/catalog/sales/cost-edit-on-sales.ts';
import { loadCase } from '#usecases/repricing/prices/priced-listing.ts';
import { requirePast } from '#usecases/require-past.ts';
import { listingChangeOf, skuChangeOf } from './edit-listing-costs.ts';

/**
 * Previews what edited costs of a listing change on sales so far. Writes nothing.
 * @throws AppError not_found; validation_failed for costs that would apply from the future
 */
export async function listingCostImpact(
  { db, now }: Pick<ListingDeps, 'db' | 'now'>,
  listingId: number,
  { costSince, feeRate, feeCategory, ...parts }: ListingCostImpactRequest,
): Promise<SalesImpact> {
  const at = now();
  requirePast(costSince, at);
  const { listing } = await loadCase(db, listingId, at);
  return listingCostEffect(
    db,
    listingId,
    { ...listingChangeOf(parts), ...datedOf({ feeRate, feeCategory }) },
    { sku: listing.sku, change: skuChangeOf(parts) },
    { since: costSince ?? at, now: at },
  );
}
