import type { CostPartName, ListingCosts } from '#contract/costs.ts';
import type { CostOrigin } from '#db/queries/catalog/listing-costs.ts';
import { decimalFromCents } from '#domain/decimal.ts';
import { type FulfillmentEstimate, stepAtPrice } from '#domain/fees/warehouse-fee.ts';
import { MARKETPLACE_NAMES, type Marketplace } from '#domain/marketplaces.ts';
import { moneyText } from '#domain/text.ts';
import type { PricingInput } from '#usecases/repricing/pricing/load-pricing-inputs.ts';

type Part = ListingCosts['parts'][number];
type Source = Pick<Part, 'source' | 'sourceText' | 'readOnly'>;

/** The five parts of the cost of a listing: how much, where from, and whether they can be edited there. */
export function costParts(pricingInput: PricingInput, origin: CostOrigin): Part[] {
  const { cost } = pricingInput.facts;
  const sources = {
    product: goodsSource('product', pricingInput, origin),
    shipping: shippingSource(pricingInput),
    fulfillment: fulfillmentSource(pricingInput, origin),
    packaging: goodsSource('packaging', pricingInput, origin),
    misc: goodsSource('misc', pricingInput, origin),
  } as const satisfies Record<CostPartName, Source>;
  return (Object.keys(sources) as CostPartName[]).map((part) => {
    const amount = cost[part];
    return { part, amount: amount === null ? null : decimalFromCents(amount), ...sources[part] };
  });
}

/** Why product, packaging and misc cost cannot be edited on a listing; null when they can. */
export function whySkuCostsAreFixed(
  { sku, bundleUnconfirmed }: Pick<PricingInput['listing'], 'sku' | 'bundleUnconfirmed'>,
  { isBundle, skuId }: Pick<CostOrigin, 'isBundle' | 'skuId'>,
): string | null {
  if (isBundle) return `${sku} is a bundle: its cost comes from its components. Change them under Bundles.`;
  if (bundleUnconfirmed) {
    return `${sku} was a bundle: save its components again under Bundles, or confirm there that it is not a bundle.`;
  }
  return skuId === null ? `Add SKU ${sku} with its cost and weight under SKUs.` : null;
}

/** Why the fulfillment fee of a listing cannot be edited; null when it can. */
export function whyFulfillmentIsFixed({
  fulfillmentType,
}: Pick<PricingInput['listing'], 'fulfillmentType'>): string | null {
  return fulfillmentType === 'FBM' ? 'A listing you ship yourself (FBM) has no FBA/WFS fee.' : null;
}

function goodsSource(
  part: 'product' | 'packaging' | 'misc',
  pricingInput: PricingInput,
  origin: CostOrigin,
): Source {
  const { sku } = pricingInput.listing;
  const readOnly = whySkuCostsAreFixed(pricingInput.listing, origin);
  if (!origin.isBundle) return { source: 'sku', sourceText: `SKU ${sku}`, readOnly };
  if (part === 'packaging' && origin.skuId !== null) {
    return { source: 'sku', sourceText: `SKU ${sku}, the box of the bundle`, readOnly };
  }
  return { source: 'bundle', sourceText: 'Components of the bundle', readOnly };
}

function shippingSource({ listing, facts: { cost } }: PricingInput): Source {
  if (listing.shippingCost !== null) {
    return { source: 'listing', sourceText: 'Set on this listing', readOnly: null };
  }
  // No cost, or a tier of 0.00: the seller sees the same.
  if (listing.fulfillmentType === 'FBA/WFS' && cost.shipping === 0) {
    return { source: 'none', sourceText: 'Covered by the FBA/WFS fee', readOnly: null };
  }
  const place = `${MARKETPLACE_NAMES[listing.marketplace]} ${listing.fulfillmentType}`;
  const weight = cost.weight === null ? 'an unknown weight' : `${cost.weight} oz`;
  const tier = cost.shipping === null ? 'No shipping tier' : 'Shipping tier';
  return { source: 'tier', sourceText: `${tier} of ${place} for ${weight}`, readOnly: null };
}

function fulfillmentSource(pricingInput: PricingInput, { isEstimate }: CostOrigin): Source {
  const readOnly = whyFulfillmentIsFixed(pricingInput.listing);
  if (readOnly !== null) return { source: 'none', sourceText: 'Shipped by you', readOnly };
  const { marketplace, cost } = pricingInput.facts;
  const { estimate } = cost;
  if (estimate !== null)
    return { source: 'table', sourceText: estimateText(estimate, marketplace), readOnly };
  if (cost.reportedBy === 'settled') {
    const isAssumed = stepAtPrice(cost.toldSteps ?? [], pricingInput.listing.currentPrice)?.isAssumed;
    return {
      source: 'estimate',
      sourceText: isAssumed
        ? 'Assumed from what was charged before, or for a single sale'
        : 'Median charged per unit in 60 days, or a higher one until two sales are lower',
      readOnly,
    };
  }
  if (pricingInput.listing.fulfillmentCost === null) {
    return { source: 'listing', sourceText: 'Not entered yet', readOnly };
  }
  return isEstimate
    ? { source: 'estimate', sourceText: 'Estimate of the marketplace', readOnly }
    : { source: 'listing', sourceText: enteredText(pricingInput), readOnly };
}

function enteredText({ chargedFee, listing: { marketplace } }: PricingInput): string {
  const text = 'Set on this listing';
  return chargedFee === null
    ? text
    : `${text}. ${MARKETPLACE_NAMES[marketplace]} charges ${moneyText(chargedFee)} per unit`;
}

/** "Estimated from size and weight: large standard, 12.5 oz"; a tier of Walmart is a weight itself: "9 lb, hazardous". */
function estimateText(
  { basis, tier, weight, isHazardous, isChargedHigher }: FulfillmentEstimate,
  marketplace: Marketplace,
): string {
  const from = basis === 'size' ? 'size and weight' : 'the weight alone';
  const counted = marketplace === 'walmart' ? '' : `, ${Number(weight.toFixed(1))} oz`;
  const charged = isChargedHigher ? '. A higher fee that was charged before counts' : '';
  return `Estimated from ${from}: ${tier}${counted}${isHazardous ? ', hazardous' : ''}${charged}`;
}
