import { METRIC_AMOUNTS, type MetricsRow } from '#db/queries/repricing/case-rows.ts';
import { holdsBuyBox } from '#domain/buy-box.ts';
import type { Decision } from '#domain/decision.ts';
import type { ListingFacts } from '#domain/facts.ts';
import { lowestAllowed } from '#domain/lowest-allowed.ts';
import { marginOf } from '#domain/margin.ts';
import { marketPrices } from '#domain/market-prices.ts';
import { type Bps, type Cents, isPrice } from '#domain/units.ts';
import type { PricingInput } from './load-pricing-inputs.ts';

/** What the lists show and sort by after a decision; the margin is that of the price then in force. */
export function metricsOf(pricingCase: PricingInput, decision: Decision): MetricsRow {
  const { facts, choice, policy, isConnected } = pricingCase;
  const { cost } = facts;
  const market = marketPrices(facts, policy);
  const price = decision.kind === 'change' && !isConnected ? decision.price : facts.currentPrice;
  return {
    productCost: cost.product,
    shippingCost: cost.shipping,
    fulfillmentCost: cost.fulfillment,
    packagingCost: cost.packaging,
    miscCost: cost.misc,
    totalCost: cost.total,
    margin: marginAt(price, facts),
    marginFloor: isPrice(decision.marginFloor) ? decision.marginFloor : null,
    lowestAllowed: rememberedLowest(pricingCase, decision),
    amazonWalmartPrice: market.marketplace,
    thirdPartyFbaWfsPrice: market.thirdPartyWarehouse,
    thirdPartyFbmPrice: market.thirdPartyMerchant,
    outcome: decision.kind,
    reasonCode: decision.reason,
    reviewReason: decision.reviewReason,
    decidedPrice: decision.price,
    holdsBuyBox: holdsBuyBox(facts, policy),
    missingFacts: [...new Set(cost.gaps.map(({ kind }) => kind))],
    // "Applied to": a rule that does not match, or is paused, decides nothing.
    ruleId: choice.minimumMargin === null ? null : Number(choice.rule.id),
  };
}

/**
 * What the next change, and arming, is held against. What is unknown now has not fallen: the last one that was known
 * counts. Where the engine only looks it is the one of before, since nobody is asked about changes there. On an armed
 * marketplace they are, while it is paused or halted too.
 */
function rememberedLowest(
  { listing, facts, isArmed }: PricingInput,
  { marginFloor }: Decision,
): Cents | null {
  const before = listing.lowestBefore;
  return isArmed ? (lowestAllowed(marginFloor, facts.minPrice) ?? before) : before;
}

/** @returns null when it cannot be known; a loss may be many times the price */
export function marginAt(
  price: Cents | null,
  { shippingCharge, cost, fees }: Pick<ListingFacts, 'shippingCharge' | 'cost' | 'fees'>,
): Bps | null {
  if (price === null || shippingCharge === null || cost.total === null || fees === null) return null;
  return marginOf(price, shippingCharge, cost.total, fees);
}

/** Whether the lists would show anything else: a sweep that changes nothing writes nothing. */
export function isSameMetrics(a: MetricsRow | null, b: MetricsRow): boolean {
  return (
    a !== null &&
    METRIC_AMOUNTS.every((name) => a[name] === b[name]) &&
    isSameAnswer(a, b) &&
    a.ruleId === b.ruleId &&
    a.holdsBuyBox === b.holdsBuyBox &&
    a.missingFacts.length === b.missingFacts.length &&
    a.missingFacts.every((gap, index) => gap === b.missingFacts[index])
  );
}

/** Whether a decision only repeats the last one: then `run_items` hold it already. */
export function isSameAnswer(a: MetricsRow | null, b: MetricsRow): boolean {
  return (
    a !== null &&
    a.outcome === b.outcome &&
    a.reasonCode === b.reasonCode &&
    a.reviewReason === b.reviewReason &&
    a.decidedPrice === b.decidedPrice
  );
}
