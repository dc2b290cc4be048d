import { METRIC_AMOUNTS, type MetricsRow } from '#db/queries/repricing/pricing-input-rows.ts';
import { holdsBuyBox } from '#domain/competition/buy-box.ts';
import { asLinesSaw, competitionOf, EVERY_OFFER } from '#domain/competition/competition.ts';
import { marketPrices } from '#domain/competition/market-prices.ts';
import { costWithoutFees } from '#domain/costs/cost-without-fees.ts';
import { marginOf } from '#domain/costs/margin.ts';
import type { DecidingLine, Decision } from '#domain/decision/decision.ts';
import type { ListingFacts } from '#domain/decision/facts.ts';
import { type LastDecision, notReadSince } from '#domain/decision/run-tally.ts';
import type { DecisionCase } from '#domain/decision/stored-case.ts';
import { lowestAllowed } from '#domain/limits/lowest-allowed.ts';
import { type Bps, type Cents, isPrice } from '#domain/units.ts';
import type { PricingInput } from './load-pricing-inputs.ts';

/** What the last decision about a listing left. */
export function lastDecisionOf({ listing: { metrics } }: PricingInput): LastDecision {
  return {
    outcome: metrics?.outcome ?? null,
    status: metrics?.competition ?? null,
    notReadSince: metrics?.notReadSince ?? null,
  };
}

/** Figures that the lists show and sort by after a decision; the margin is that of the resulting price. */
export function metricsOf(pricingInput: PricingInput, decision: Decision): MetricsRow {
  const { facts, choice, policy, isConnected, feeDrift, chargedFee, isFeeHeld } = pricingInput;
  const { cost, fees } = facts;
  const market = marketPrices(facts, policy);
  const { status } = asLinesSaw(
    competitionOf(facts, choice.rule ?? EVERY_OFFER, policy),
    decision.line?.situation ?? null,
  );
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
    lowestAllowed: rememberedLowest(pricingInput, decision),
    amazonWalmartPrice: market.marketplace,
    thirdPartyFbaWfsPrice: market.thirdPartyWarehouse,
    thirdPartyFbmPrice: market.thirdPartyMerchant,
    outcome: decision.kind,
    reasonCode: decision.reason,
    reviewReason: decision.reviewReason,
    decidedPrice: decision.price,
    toldRate: feeDrift?.told ?? null,
    scheduledRate: feeDrift?.scheduled ?? null,
    countedShare: fees === null ? null : ((fees.basis.adShare + fees.basis.returnShare) as Bps),
    chargedFee,
    isFeeTold: fees?.basis.source.kind === 'told',
    isFeeHeld,
    holdsBuyBox: holdsBuyBox(facts, policy),
    competition: status,
    notReadSince: notReadSince(lastDecisionOf(pricingInput), status, policy.now),
    missingFacts: [...new Set(cost.gaps.map(({ kind }) => kind))],
    // "Applied to": a rule that does not match, or is paused, prices nothing.
    ruleId: choice.minimumMargin === null ? null : Number(choice.rule.id),
    line: ownLineOf(pricingInput, decision)?.number ?? null,
  };
}

/** The line of the listing's own rule that decided; in a price group the lines of one member's rule decide for all. */
export function ownLineOf(
  { choice, facts }: Pick<DecisionCase, 'choice' | 'facts'>,
  { line }: Decision,
): DecidingLine | null {
  return facts.group?.rule == null || facts.group.rule.id === choice.rule?.id ? line : null;
}

/**
 * The lowest allowed price that the next change, and going live, is compared with. An unknown one has not fallen: the last
 * known one counts. Without a live marketplace the former one is kept, since changes are not confirmed there; on a live
 * marketplace they are, also while it is paused or repricing is halted.
 */
function rememberedLowest({ listing, facts, isLive }: PricingInput, { marginFloor }: Decision): Cents | null {
  const before = listing.lowestBefore;
  return isLive ? (lowestAllowed(marginFloor, facts.minPrice) ?? before) : before;
}

/** @returns null when it is unknown; a loss may be many times the price */
export function marginAt(
  price: Cents | null,
  { shippingCharge, cost, fees }: Pick<ListingFacts, 'shippingCharge' | 'cost' | 'fees'>,
): Bps | null {
  const totalCost = costWithoutFees({ cost, fees });
  if (price === null || shippingCharge === null || totalCost === null || fees === null) return null;
  return marginOf(price, shippingCharge, totalCost, fees);
}

/** Whether the lists would show the same: a full check without changes writes nothing. */
export function isSameMetrics(a: MetricsRow | null, b: MetricsRow): boolean {
  return (
    a !== null &&
    METRIC_AMOUNTS.every((name) => a[name] === b[name]) &&
    isSameDecision(a, b) &&
    a.ruleId === b.ruleId &&
    a.line === b.line &&
    a.holdsBuyBox === b.holdsBuyBox &&
    a.competition === b.competition &&
    a.notReadSince === b.notReadSince &&
    a.isFeeTold === b.isFeeTold &&
    a.isFeeHeld === b.isFeeHeld &&
    a.missingFacts.length === b.missingFacts.length &&
    a.missingFacts.every((gap, index) => gap === b.missingFacts[index])
  );
}

/** Whether a decision only repeats the last one, which `run_items` already hold. */
export function isSameDecision(a: MetricsRow | null, b: MetricsRow): boolean {
  return (
    a !== null &&
    a.outcome === b.outcome &&
    a.reasonCode === b.reasonCode &&
    a.reviewReason === b.reviewReason &&
    a.decidedPrice === b.decidedPrice
  );
}
