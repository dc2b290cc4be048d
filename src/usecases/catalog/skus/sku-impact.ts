import type { BelowMarginFloor } from '#contract/costs.ts';
import type { SkuFields, SkuImpact, SkuImpactRequest } from '#contract/skus.ts';
import type { Db } from '#db/client.ts';
import {
  countSkuUses,
  findSkuById,
  listingsTouched,
  type SkuRecord,
} from '#db/queries/catalog/sku-writes.ts';
import type { SkuCosts } from '#domain/costs/cost.ts';
import { packageSize } from '#domain/fees/warehouse-fee.ts';
import { type Instant, ounces } from '#domain/units.ts';
import { belowMarginFloorOf, furthestBelow } from '#usecases/catalog/costs/below-margin-floor.ts';
import { skuCostEffect } from '#usecases/catalog/sales/cost-edit-on-sales.ts';
import { loadPricingInputs } from '#usecases/repricing/pricing/load-pricing-inputs.ts';
import { loadPricingContext } from '#usecases/repricing/pricing/pricing-context.ts';
import { requirePast } from '#usecases/require-past.ts';
import { costChangeOf, touchesCost } from './edit-sku.ts';
import { type SkuDeps, skuNotFound } from './sku-deps.ts';

const BATCH = 1_000;

/**
 * Previews an edit of a SKU: its effect on the listings that use it, at current prices. Writes nothing.
 * @throws AppError not_found; validation_failed for a cost that would apply from the future
 */
export async function skuImpact(
  { db, now }: SkuDeps,
  id: number,
  { costSince, ...fields }: SkuImpactRequest,
): Promise<SkuImpact> {
  const at = now();
  requirePast(costSince, at);
  const stored = await findSkuById(db, id);
  if (stored === null) throw skuNotFound();
  const uses = await countSkuUses(db, [id]);
  const ids = touchesCost(fields) ? await listingsTouched(db, [id]) : [];
  const costs = costsWith(stored, fields);
  return {
    ...uses,
    ...(await evaluate(db, ids, costs, { since: costSince ?? at, now: at })),
    sales: await skuCostEffect(db, stored.sku, costChangeOf(fields), { since: costSince ?? at, now: at }),
  };
}

type Evaluated = Pick<SkuImpact, 'fallingCount' | 'falling' | 'unknownCount'>;

/** Listings that keep their margin now and would not with these costs. */
async function evaluate(
  db: Db,
  ids: readonly number[],
  costs: SkuCosts,
  { since, now }: { readonly since: Instant; readonly now: Instant },
): Promise<Evaluated> {
  const shop = await loadPricingContext(db, now);
  const falling: BelowMarginFloor[] = [];
  let unknownCount = 0;
  const assumed = new Map([[costs.sku, costs]]);
  for (let from = 0; from < ids.length; from += BATCH) {
    const batch = ids.slice(from, from + BATCH);
    const before = new Map((await loadPricingInputs(db, shop, batch)).map((each) => [each.listing.id, each]));
    for (const after of await loadPricingInputs(db, shop, batch, assumed, since)) {
      const old = before.get(after.listing.id);
      if (old === undefined) continue;
      if (after.facts.cost.total === null && old.facts.cost.total !== null) unknownCount += 1;
      const below = belowMarginFloorOf(after);
      if (below === null || belowMarginFloorOf(old) !== null) continue;
      falling.push(below);
    }
  }
  return { fallingCount: falling.length, falling: furthestBelow(falling), unknownCount };
}

function costsWith(stored: SkuRecord, fields: SkuFields): SkuCosts {
  const { sku, productCost, weightOz, packagingCost, miscCost } = stored;
  const weight = fields.weightOz === undefined ? weightOz : fields.weightOz;
  const { lengthIn = stored.lengthIn, widthIn = stored.widthIn, heightIn = stored.heightIn } = fields;
  return {
    sku,
    productCost: fields.productCost === undefined ? productCost : fields.productCost,
    // In single precision, as it would be read back from the database.
    weight: weight === null ? null : ounces(Math.fround(weight)),
    size: packageSize(lengthIn, widthIn, heightIn),
    isHazardous: fields.isHazardous ?? stored.isHazardous,
    packagingCost: fields.packagingCost ?? packagingCost,
    miscCost: fields.miscCost ?? miscCost,
  };
}
