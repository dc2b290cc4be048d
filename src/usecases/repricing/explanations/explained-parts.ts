import type { PriceExplanation } from '#contract/explanation.ts';
import type { ListingRecord } from '#db/queries/catalog/listing-writes.ts';
import { profitOf } from '#domain/costs/profit.ts';
import { decimalFromBps } from '#domain/decimal.ts';
import { feesSourceText } from '#domain/decision/explanation-text.ts';
import type { ListingFacts } from '#domain/decision/facts.ts';
import type { FeeTable } from '#domain/fees/fee-table.ts';
import type { AllowedPrices } from '#domain/limits/allowed-prices.ts';
import type { Cents } from '#domain/units.ts';
import { day, money, moneyOrNull } from '#usecases/repricing/pricing/api-values.ts';

/** The listing of an explanation, with its current title and price. */
export type ExplainedListing = Pick<
  ListingRecord,
  'id' | 'marketplace' | 'sku' | 'title' | 'fulfillmentType' | 'currentPrice'
>;

export function listingPart(listing: ExplainedListing): PriceExplanation['listing'] {
  const { id, marketplace, sku, title, fulfillmentType, currentPrice } = listing;
  return { id: String(id), marketplace, sku, title, fulfillmentType, currentPrice: money(currentPrice) };
}

export function factsPart(facts: ListingFacts): PriceExplanation['facts'] {
  const { cost } = facts;
  const parts = ['product', 'shipping', 'fulfillment', 'packaging', 'misc'] as const;
  return {
    currentPrice: moneyOrNull(facts.currentPrice),
    anchorPrice: moneyOrNull(facts.anchorPrice),
    minPrice: moneyOrNull(facts.minPrice),
    maxPrice: moneyOrNull(facts.maxPrice),
    marketplaceLimits: limitsPart(facts.marketplaceLimits),
    greatestDiscount: facts.greatestDiscount === 0 ? null : decimalFromBps(facts.greatestDiscount),
    shippingCharge: moneyOrNull(facts.shippingCharge),
    priceDayAgo: moneyOrNull(facts.priceDayAgo),
    cost: parts.map((part) => ({ part, amount: moneyOrNull(cost[part]) })),
    totalCost: moneyOrNull(cost.total),
    weightOz: cost.weight,
    elsewhere: facts.elsewhere.map(({ marketplace, price, shippingCharge }) => ({
      marketplace,
      price: money(price),
      shippingCharge: money(shippingCharge),
    })),
    gaps: [...new Set(cost.gaps.map(({ kind }) => kind))],
  };
}

function limitsPart(
  limits: ListingFacts['marketplaceLimits'],
): PriceExplanation['facts']['marketplaceLimits'] {
  if (limits === null) return null;
  const { min, max, map } = limits;
  return { min: moneyOrNull(min), max: moneyOrNull(max), map: moneyOrNull(map) };
}

/** The profit of one sale at the old and the new price. */
export function profitPart(
  before: Cents | null,
  after: Cents | null,
  facts: ListingFacts,
): PriceExplanation['profit'] {
  const { shippingCharge, cost, fees } = facts;
  const at = (price: Cents | null): string | null =>
    price === null || shippingCharge === null || cost.total === null || fees === null
      ? null
      : moneyOrNull(profitOf(price, shippingCharge, cost.total, fees));
  return { before: at(before), after: at(after) };
}

export function feesPart(fees: FeeTable | null): PriceExplanation['fees'] {
  if (fees === null) return null;
  return { version: fees.version, text: feesSourceText(fees.basis, day) };
}

/** @param allowed `ranges` as flat pairs, as in the domain */
export function allowedPart(
  allowed: Pick<AllowedPrices, 'marginFloor' | 'priceCeiling' | 'ranges'> | null,
): PriceExplanation['allowed'] {
  if (allowed === null) return null;
  const ranges: { from: string; to: string }[] = [];
  for (let at = 0; at < allowed.ranges.length; at += 2) {
    ranges.push({ from: money(allowed.ranges[at] ?? 0), to: money(allowed.ranges[at + 1] ?? 0) });
  }
  return {
    marginFloor: moneyOrNull(allowed.marginFloor),
    priceCeiling: moneyOrNull(allowed.priceCeiling),
    ranges,
  };
}
