import { costWithoutFees } from '#domain/costs/cost-without-fees.ts';
import { areFeesDoubted, type PriceSpan } from '#domain/fees/doubted-fees.ts';
import type { FeeTable } from '#domain/fees/fee-table.ts';
import { stepAtPrice } from '#domain/fees/warehouse-fee.ts';
import {
  type AllowedPrices,
  allowedPricesWithin,
  highestAllowedTo,
  isAllowed,
  lowestAllowedFrom,
  type PriceLimits,
} from '#domain/limits/allowed-prices.ts';
import { bestPriceUpTo } from '#domain/limits/fee-band-edge.ts';
import { lowerLimit } from '#domain/limits/marketplace-limits.ts';
import { limitInTheWay, type MoveRange, moveRange, nearestInRange } from '#domain/limits/move-range.ts';
import type { Policy } from '#domain/limits/policy.ts';
import { compileLines } from '#domain/lines/compile-lines.ts';
import { type LineStep, linesPrice } from '#domain/lines/lines-price.ts';
import type { Rule, RuleChoice } from '#domain/rules/rule.ts';
import type { Bps, Cents } from '#domain/units.ts';
import { isReadableRule, missingFact } from './completeness.ts';
import { channelGap } from './cross-channel.ts';
import type {
  BindingLimit,
  Blocked,
  BlockReason,
  DecidingLine,
  Decision,
  Keep,
  KeepReason,
  PriceReason,
  ReviewReason,
} from './decision.ts';
import type { ListingFacts } from './facts.ts';
import { isBlockingStop, type PriceGroup, type RuleKeep } from './price-group.ts';
import { type StrategyPrice, strategyPrice } from './strategy-price.ts';
import { allowsCorrection, waitReason } from './wait-reason.ts';

/**
 * Decides the price of one listing. Pure: the same facts, rule and policy give the same decision.
 * A `change` is always an allowed price within the move range.
 *
 * Made for millions of listings: its loops count an index, because V8 inlines less of a function with a `for...of`.
 */
export function decide(facts: ListingFacts, choice: RuleChoice, policy: Policy): Decision {
  return evaluate(facts, choice, policy).decision;
}

/** A move from the current price towards the strategy price: steps 6 and 7. */
export interface Move {
  readonly strategyPrice: number;
  readonly reason: PriceReason;
  /** The highest price of L at or below the strategy price, else the lowest above; of these, one that leaves most. */
  readonly target: Cents;
  /** The price of L that would be the target if it did not leave less than a lower one; null if that is the target. */
  readonly passedOver: Cents | null;
  /** The price of L and R nearest to the target; null if there is none on the way. */
  readonly price: Cents | null;
}

/** A decision with its intermediate results, so that the explanation needs no second calculation. */
export interface Evaluation {
  readonly decision: Decision;
  readonly allowed: AllowedPrices | null;
  readonly strategyPrice: StrategyPrice | null;
  readonly range: MoveRange | null;
  readonly move: Move | null;
}

/**
 * The eight steps of a decision. Never throws: invalid facts block the listing.
 * @param notes takes what became of each line of the rule, down to the deciding one
 */
export function evaluate(
  facts: ListingFacts,
  choice: RuleChoice,
  policy: Policy,
  notes: LineStep[] | null = null,
): Evaluation {
  const missing = missingFact(facts);
  if (missing !== null) return endOf(blocked(missing, null));
  const current = facts.currentPrice as Cents;
  if (choice.kind !== 'own' && choice.kind !== 'matched') {
    return endOf(keep(current, RULE_KEEPS[choice.kind], 'none', null, null, null));
  }
  const { rule, minimumMargin } = choice;
  if (!isReadableRule(rule, minimumMargin, facts.marketplace)) return endOf(blocked('unreadable_rule', null));
  const allowed = allowedPricesOf(facts, minimumMargin);
  if (allowed.ranges.length === 0)
    return endOf(blocked(whyNothingAllowed(facts, minimumMargin, allowed), allowed.marginFloor), allowed);
  const { group } = facts;
  return group === null
    ? withAllowedPrices(facts, rule, minimumMargin, allowed, policy, notes)
    : inGroup(group, facts, rule, minimumMargin, allowed, policy, notes);
}

/** The decision of a member of a price group. @param own the prices that it allows alone */
function inGroup(
  group: PriceGroup,
  facts: ListingFacts,
  rule: Rule,
  minimumMargin: Bps,
  own: AllowedPrices,
  policy: Policy,
  notes: LineStep[] | null,
): Evaluation {
  const { stop, allowed, decision } = group;
  if (stop !== null && isBlockingStop(stop)) return endOf(blocked('group_blocked', own.marginFloor), own);
  if (allowed === null) return endOf(blocked('group_blocked', own.marginFloor), own);
  if (allowed.ranges.length === 0) return endOf(blocked('group_conflict', allowed.marginFloor), allowed);
  if (decision === null) return withAllowedPrices(facts, rule, minimumMargin, allowed, policy, notes);
  if (decision.kind !== 'recommend') return endOf(decision, allowed);
  const reviewReason =
    reviewReasonFor(facts, rule, policy) ?? (stop === null ? decision.reviewReason : 'group_member');
  return endOf({ ...decision, reviewReason }, allowed);
}

/** Why no price can be decided because of the rule; null if one can. */
export function obstacleOf(
  choice: RuleChoice,
  { marketplace }: ListingFacts,
): RuleKeep | 'unreadable_rule' | null {
  if (choice.kind !== 'own' && choice.kind !== 'matched') return RULE_KEEPS[choice.kind];
  return isReadableRule(choice.rule, choice.minimumMargin, marketplace) ? null : 'unreadable_rule';
}

const RULE_KEEPS = {
  none: 'no_rule',
  own_missing: 'own_rule_missing',
  own_paused: 'own_rule_paused',
  own_mismatch: 'own_rule_mismatch',
  own_off_hours: 'own_rule_off_hours',
} as const satisfies Record<Extract<RuleChoice, { minimumMargin: null }>['kind'], RuleKeep>;

/** The allowed prices of a listing. @param facts complete ones, for which `missingFact` returns null */
export function allowedPricesOf(facts: ListingFacts, minimumMargin: Bps): AllowedPrices {
  return allowedPricesWithin(
    facts as ListingFacts & PriceLimits,
    costWithoutFees(facts) as Cents,
    minimumMargin,
  );
}

/** Why a listing has no allowed price. */
export function whyNothingAllowed(
  facts: ListingFacts,
  minimumMargin: Bps,
  { marginFloor, priceCeiling }: AllowedPrices,
): BlockReason {
  const { minPrice, maxPrice, marketplaceLimits } = facts;
  if (marginFloor === null || priceCeiling === null) return 'margin_impossible';
  const ownLimits = marketplaceLimits === null ? null : { ...facts, marketplaceLimits: null };
  if (ownLimits !== null && allowedPricesOf(ownLimits, minimumMargin).ranges.length > 0)
    return 'bounds_conflict';
  if (maxPrice !== null && marginFloor > maxPrice) return 'floor_above_maximum';
  if (minPrice !== null && minPrice > priceCeiling) return 'minimum_above_ceiling';
  return 'range_not_legal';
}

/** Step 4: the price that the strategy, or the first line that applies, asks for. */
export function strategyPriceFor(
  facts: ListingFacts,
  rule: Rule,
  minimumMargin: Bps,
  allowed: AllowedPrices,
  policy: Policy,
  notes: LineStep[] | null = null,
): StrategyPrice {
  const { lines } = rule;
  return lines === null
    ? strategyPrice(facts, rule, allowed, policy)
    : linesPrice(facts, rule, lines, minimumMargin, allowed, policy, notes);
}

/**
 * Steps 4 to 8, for a listing that has a rule and at least one allowed price. V8 inlines no function of more than 460 bytes
 * of bytecode: this one has 430.
 */
function withAllowedPrices(
  facts: ListingFacts,
  rule: Rule,
  minimumMargin: Bps,
  allowed: AllowedPrices,
  policy: Policy,
  notes: LineStep[] | null,
): Evaluation {
  const current = facts.currentPrice as Cents;
  const isCurrentAllowed = isAllowed(allowed, current);
  const range = moveRange(current, facts.priceDayAgo, policy);
  const strategy =
    facts.group?.strategy ?? strategyPriceFor(facts, rule, minimumMargin, allowed, policy, notes);
  const { line } = strategy;
  const reference = referenceOf(strategy, facts);
  if (strategy.price === null && isCurrentAllowed) {
    return {
      decision: keep(current, strategy.reason, 'none', allowed.marginFloor, reference, line),
      allowed,
      strategyPrice: strategy,
      range,
      move: null,
    };
  }
  let move = moveOf(strategy, allowed, range, facts, policy);
  let wait = waitReason(move, isCurrentAllowed, facts, policy);
  if (wait !== null && allowsCorrection(wait) && !isCurrentAllowed) {
    // A cooldown or rejection may delay the strategy price, but never the correction of a price that is not allowed.
    move = correctionOf(allowed, range, facts, policy);
    wait = waitReason(move, isCurrentAllowed, facts, policy);
  }
  const bindingLimit = bindingLimitOf(move, allowed, range, facts);
  const isStaying = wait !== null || move.price === null || move.price === current;
  const reviewReason = isStaying ? null : moveReviewReason(facts, rule, policy, allowed, move, line);
  const decision = conclude(
    current,
    move,
    isCurrentAllowed,
    wait,
    reviewReason,
    bindingLimit,
    allowed.marginFloor,
    reference,
    line,
  );
  return { decision, allowed, strategyPrice: strategy, range, move };
}

/** Why a move needs review; null if it can be applied automatically. */
function moveReviewReason(
  facts: ListingFacts,
  rule: Rule,
  policy: Policy,
  allowed: AllowedPrices,
  move: Move,
  line: DecidingLine | null,
): ReviewReason | null {
  return (
    lineReviewReason(facts, rule, policy, move, line) ??
    reviewOfMove(move, allowed, facts, rule) ??
    (facts.group?.stop == null ? null : 'group_member')
  );
}

/** Takes plain values instead of an object, which would be one more allocation for each of millions of decisions. */
function conclude(
  current: Cents,
  { strategyPrice, target, price, reason }: Move,
  isCurrentAllowed: boolean,
  wait: KeepReason | null,
  reviewReason: ReviewReason | null,
  bindingLimit: BindingLimit,
  marginFloor: Cents | null,
  reference: Cents | null,
  line: DecidingLine | null,
): Decision {
  if (price === null || price === current) {
    if (target === current) {
      // A cut that ends above prices that are not allowed is not where the rule wants it.
      const isStopped = bindingLimit === 'fee_band_gap' && target > strategyPrice;
      const why = isStopped ? 'line_hold' : 'already_there';
      return keep(current, why, bindingLimit, marginFloor, reference, line);
    }
    if (isCurrentAllowed) return keep(current, 'held_by_limit', bindingLimit, marginFloor, reference, line);
    return {
      kind: 'recommend',
      price: target,
      reason,
      reviewReason: 'outside_move_range',
      bindingLimit,
      marginFloor,
      reference,
      line,
    };
  }
  if (wait !== null) return keep(current, wait, bindingLimit, marginFloor, reference, line);
  return reviewReason === null
    ? { kind: 'change', price, reason, reviewReason, bindingLimit, marginFloor, reference, line }
    : { kind: 'recommend', price, reason, reviewReason, bindingLimit, marginFloor, reference, line };
}

/** The review reason for the price that a move reaches. */
export function reviewOfMove(
  move: Move,
  allowed: AllowedPrices,
  facts: ListingFacts,
  rule: Rule,
): ReviewReason | null {
  return unreportedFee(move, allowed.marginFloor, facts) ?? refusal(move.price, allowed, facts, rule);
}

/**
 * The review reason for a price at which the fee is only assumed: one whose fulfillment fee was reported for lower prices only;
 * and for a listing whose fees no schedule fits a margin floor that the marketplace was not asked for, or a target between
 * two prices with different rates.
 */
function unreportedFee(
  { price, target }: Move,
  marginFloor: Cents | null,
  { fees, shippingCharge }: ListingFacts,
): ReviewReason | null {
  if (fees === null || price === null) return null;
  const { source, fulfillment } = fees.basis;
  if (stepAtPrice(fulfillment, price)?.isAssumed) return 'fee_not_told';
  if (source.kind !== 'told' || source.schedules.length > 0) return null;
  const revenue = price + (shippingCharge as Cents);
  const reported = source.rates.find(({ from, to }) => from <= revenue && revenue <= to);
  if (reported === undefined || reported.from === reported.to) return null;
  return price === marginFloor || (price === target && reported.isAssumed) ? 'fee_not_told' : null;
}

/** The rule's review reason for a gap between our channels. It never prevents the correction of a price that is not allowed. */
function refusal(
  price: Cents | null,
  allowed: AllowedPrices,
  facts: ListingFacts,
  { refuseCrossChannel }: Rule,
): ReviewReason | null {
  if (!refuseCrossChannel || price === null || !isAllowed(allowed, facts.currentPrice as Cents)) return null;
  return channelGap(facts, price)?.isWider === true ? 'cross_channel' : null;
}

/** The move to the strategy price; without one the current price is corrected. */
function moveOf(
  { price, reason, line }: StrategyPrice,
  allowed: AllowedPrices,
  range: MoveRange,
  facts: ListingFacts,
  policy: Policy,
): Move {
  return price === null
    ? correctionOf(allowed, range, facts, policy)
    : moveTo(price, reason, line?.notUnder ?? null, allowed, range, facts, policy);
}

/** The move from a current price that is not allowed to the nearest one that is. */
function correctionOf(allowed: AllowedPrices, range: MoveRange, facts: ListingFacts, policy: Policy): Move {
  return moveTo(facts.currentPrice as Cents, 'repair', null, allowed, range, facts, policy);
}

function moveTo(
  strategyPrice: number,
  reason: PriceReason,
  notUnder: number | null,
  allowed: AllowedPrices,
  range: MoveRange,
  { currentPrice, fees, shippingCharge }: ListingFacts,
  { avoidBandEdges }: Policy,
): Move {
  const nearest = nearestAllowed(allowed, strategyPrice, notUnder);
  const target = avoidBandEdges
    ? bestPriceUpTo(allowed, fees as FeeTable, shippingCharge as Cents, nearest, notUnder)
    : nearest;
  const price = nearestInRange(allowed, range, currentPrice as Cents, target);
  return { strategyPrice, reason, target, passedOver: target === nearest ? null : nearest, price };
}

/** The highest allowed price at or below the strategy price, else the lowest above; of a cut none beyond its step or end. */
function nearestAllowed(allowed: AllowedPrices, strategyPrice: number, notUnder: number | null): Cents {
  const below = highestAllowedTo(allowed, strategyPrice);
  if (below === null) return lowestAllowedFrom(allowed, strategyPrice) as Cents;
  return notUnder !== null && notUnder > strategyPrice ? (notUnder as Cents) : below;
}

/** The limit that moved the price away from the strategy price; of several the last one. */
function bindingLimitOf(
  { strategyPrice, target, passedOver, price }: Move,
  allowed: AllowedPrices,
  range: MoveRange,
  facts: ListingFacts,
): BindingLimit {
  if (price !== target && target !== facts.currentPrice) return limitInTheWay(target, range);
  if (passedOver !== null) return 'fee_band_edge';
  if (target === strategyPrice) return 'none';
  const { marketplaceLimits, minPrice, maxPrice } = facts;
  if (target > strategyPrice) {
    if (target !== allowed.ranges[0]) return 'fee_band_gap';
    return target === allowed.marginFloor
      ? 'floor'
      : (lowerLimit(minPrice, marketplaceLimits)?.by ?? 'min_price');
  }
  if (target !== allowed.priceCeiling) return 'fee_band_gap';
  if (target === marketplaceLimits?.max && target !== maxPrice) return 'marketplace_max';
  return maxPrice === null ? 'ceiling' : 'max_price';
}

function referenceOf({ competitor }: StrategyPrice, facts: ListingFacts): Cents | null {
  if (competitor === null) return null;
  return (competitor.price + competitor.shipping - (facts.shippingCharge as Cents)) as Cents;
}

function keep(
  price: Cents,
  reason: KeepReason,
  bindingLimit: BindingLimit,
  marginFloor: Cents | null,
  reference: Cents | null,
  line: DecidingLine | null,
): Keep {
  return { kind: 'keep', price, reason, reviewReason: null, bindingLimit, marginFloor, reference, line };
}

function blocked(reason: BlockReason, marginFloor: Cents | null): Blocked {
  return {
    kind: 'blocked',
    price: null,
    reason,
    reviewReason: null,
    bindingLimit: 'none',
    marginFloor,
    reference: null,
    line: null,
  };
}

function endOf(decision: Decision, allowed: AllowedPrices | null = null): Evaluation {
  return { decision, allowed, strategyPrice: null, range: null, move: null };
}

/** The review reason of a rule and of its deciding line, on which the correction of a price does not depend. */
function lineReviewReason(
  facts: ListingFacts,
  rule: Rule,
  policy: Policy,
  move: Move,
  line: DecidingLine | null,
): ReviewReason | null {
  const reason =
    line === null || move.reason === 'repair'
      ? reviewReasonFor(facts, rule, policy)
      : reviewReasonFor(facts, rule, policy, line.asksFirst, line.dependsOnCompetitors);
  // The other members of a group have fees of their own.
  if (reason !== 'fees_doubted' || facts.group !== null) return reason;
  // The last of the reasons: no other one applies.
  return areFeesDoubted(facts, spanOf(facts.currentPrice as Cents, move)) ? reason : null;
}

/** The prices that a move is about: other ones make no difference to it. */
function spanOf(current: Cents, { strategyPrice: wanted, target, price }: Move): PriceSpan {
  const reached = price ?? target;
  return {
    from: Math.min(current, wanted, target, reached),
    to: Math.max(current, wanted, target, reached),
  };
}

/**
 * Why the price needs review; null if it can be applied automatically.
 * @param asksFirst the deciding line requires review
 * @param dependsOnCompetitors the price depends on competitors; null: if any price of the rule can
 * @param span the prices that the decision is about; null: any
 */
export function reviewReasonFor(
  facts: ListingFacts,
  rule: Rule,
  policy: Policy,
  asksFirst = false,
  dependsOnCompetitors: boolean | null = null,
  span: PriceSpan | null = null,
): ReviewReason | null {
  if (policy.halted) return 'halted';
  if (policy.mode !== 'live') return policy.mode;
  if (facts.isPriceUnverified) return 'unread';
  if (!policy.autoRepricing) return 'auto_off';
  if (!facts.autoRepricing) return 'listing_off';
  if (isHeld(facts, policy)) return 'held';
  if (rule.requiresReview || asksFirst) return 'ask_first';
  // Without known seller names, the competitor could be our own offer.
  if (!policy.areOwnSellersKnown && (dependsOnCompetitors ?? canDependOnCompetitors(rule)))
    return 'own_sellers_unknown';
  // Rows of earlier releases do not have it.
  if (facts.cost.estimate && !policy.areFeeEstimatesAccepted) return 'estimated_fee';
  if (areFeesDoubted(facts, span)) return 'fees_doubted';
  return null;
}

/** Whether any price of a rule can depend on competitors. */
export function canDependOnCompetitors({ lines, strategy }: Rule): boolean {
  return lines === null ? strategy !== 'Fixed Margin' : compileLines(lines).lookAtCompetitors;
}

function isHeld({ hold }: ListingFacts, policy: Policy): boolean {
  return hold !== null && (hold.until === null || !(hold.until <= policy.now));
}
