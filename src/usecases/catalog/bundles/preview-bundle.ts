import type { BundlePreview, BundleQuestion, ListingFigures, SkuFigures } from '#contract/bundles.ts';
import { findBundleCodes } from '#db/queries/catalog/bundle-codes.ts';
import { findSkuByCode, listingsOfSkus, type SkuRecord } from '#db/queries/catalog/bundles.ts';
import type { BundleComponent, ListingCost, SkuCosts } from '#domain/costs/cost.ts';
import { decimalFromCents, decimalFromMargin } from '#domain/decimal.ts';
import { fixFor } from '#domain/decision/fix.ts';
import { checkManualPrice, manualPriceMargin } from '#domain/decision/manual-price.ts';
import { withOtherPackages } from '#domain/fees/fee-fact.ts';
import { packageSize } from '#domain/fees/warehouse-fee.ts';
import type { IsOtherPackage } from '#domain/sales/package-changes.ts';
import type { Cents } from '#domain/units.ts';
import type { ListingDeps } from '#usecases/catalog/listings/listing-deps.ts';
import { costWith } from '#usecases/repricing/pricing/listing-costs.ts';
import { loadPricingInputs, type PricingInput } from '#usecases/repricing/pricing/load-pricing-inputs.ts';
import { marginAt } from '#usecases/repricing/pricing/metrics-of.ts';
import { readOtherPackages } from '#usecases/repricing/pricing/package-changes.ts';
import { loadPricingContext, type PricingContext } from '#usecases/repricing/pricing/pricing-context.ts';
import { skusById } from './skus-by-id.ts';

/**
 * What some components would do to every listing of a SKU: cost, margin and margin floor, before and after. Without
 * components: what it would mean that the SKU is not a bundle. Writes nothing.
 * @throws AppError conflict for a deleted component
 */
export async function previewBundle(
  { db, now }: ListingDeps,
  { listingSku, components }: BundleQuestion,
): Promise<BundlePreview> {
  const skus = await skusById(
    db,
    components.map(({ componentSkuId }) => Number(componentSkuId)),
  );
  const bundleCodes = await findBundleCodes(
    db,
    [...skus.values()].map(({ sku }) => sku),
  );
  // A set of its own SKU is a product, whatever is stored.
  bundleCodes.delete(listingSku);
  const parts = components.flatMap(({ componentSkuId, quantity }) => {
    const sku = skus.get(componentSkuId);
    return sku === undefined ? [] : [partOf(sku, quantity, bundleCodes.has(sku.sku))];
  });
  const listings = await listingsOfSkus(db, [listingSku]);
  const shop = await loadPricingContext(db, now());
  const cases = await loadPricingInputs(
    db,
    shop,
    listings.map(({ id }) => id),
  );
  const others = await readOtherPackages(
    db,
    cases.map(({ listing }) => listing),
    { skus: new Map(), since: shop.facts.now, components: parts, now: shop.facts.now },
  );
  const own = await findSkuByCode(db, listingSku);
  const contents = { own: own === null ? null : costsOf(own), components: parts, bundleUnconfirmed: false };
  return {
    listings: cases.map((each) => ({
      listingId: String(each.listing.id),
      marketplace: each.listing.marketplace,
      fulfillmentType: each.listing.fulfillmentType,
      title: each.listing.title,
      currentPrice: decimalFromCents(each.listing.currentPrice),
      before: figuresOf(each, each.facts.cost),
      after: figuresOf(
        each,
        costOfBundle(shop, each, others.get(each.listing.id)?.(shop.facts.now) ?? null, contents),
      ),
    })),
    ownSku: own === null ? null : skuFigures(own),
    bundlesInside: [...bundleCodes].sort(),
    isUnconfirmed: listings.some(({ bundleUnconfirmed }) => bundleUnconfirmed),
  };
}

/** What was charged for another package only says what the fee is at least. */
function costOfBundle(
  shop: PricingContext,
  { listing, feeFacts }: PricingInput,
  isOther: IsOtherPackage | null,
  contents: Parameters<typeof costWith>[3],
): ListingCost {
  const charged = feeFacts.map(({ isOfOtherPackage: _, ...fact }) => fact);
  return costWith(shop, listing, { feeFacts: withOtherPackages(charged, isOther) }, contents);
}

/** The costs of a SKU as the API returns them. */
export function skuFigures({ productCost, weightOz, packagingCost, miscCost }: SkuRecord): SkuFigures {
  return {
    productCost: moneyOrNull(productCost),
    weightOz,
    packagingCost: decimalFromCents(packagingCost),
    miscCost: decimalFromCents(miscCost),
  };
}

function partOf(sku: SkuRecord, quantity: number, isBundle: boolean): BundleComponent {
  // The cost of a deleted SKU is unknown, whatever its row holds.
  return { sku: sku.sku, quantity, costs: sku.deletedAt === null ? costsOf(sku) : null, isBundle };
}

function costsOf(record: SkuRecord): SkuCosts {
  const { sku, productCost, weightOz, isHazardous, packagingCost, miscCost } = record;
  const size = packageSize(record.lengthIn, record.widthIn, record.heightIn);
  return { sku, productCost, weight: weightOz, size, isHazardous, packagingCost, miscCost };
}

function figuresOf({ listing, facts, choice }: PricingInput, cost: ListingCost): ListingFigures {
  const costed = { ...facts, cost };
  const { currentPrice } = listing;
  const { limit, set } = checkManualPrice(costed, manualPriceMargin(choice, costed), currentPrice);
  const margin = marginAt(currentPrice, costed);
  return {
    totalCost: moneyOrNull(cost.total),
    margin: margin === null ? null : decimalFromMargin(margin),
    marginFloor: moneyOrNull(set?.marginFloor ?? null),
    isBelowMarginFloor: limit === 'floor',
    missing: cost.gaps.map((gap) => fixFor('unknown_cost', { ...costed, cost: { ...cost, gaps: [gap] } })),
  };
}

function moneyOrNull(amount: Cents | null): string | null {
  return amount === null ? null : decimalFromCents(amount);
}
