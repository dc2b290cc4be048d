import {
  type AllowedPrices,
  allowedPrices,
  highestAllowed,
  isAllowed,
  lowestAllowed,
} from './allowed-prices.ts';
import { isReadableRule, missingFact } from './completeness.ts';
import { allowsCorrection, waitReason } from './cooldown.ts';
import { channelGap } from './cross-channel.ts';
import type {
  BindingLimit,
  Blocked,
  BlockReason,
  Decision,
  Keep,
  KeepReason,
  PriceReason,
  ReviewReason,
} from './decision.ts';
import type { ListingFacts } from './facts.ts';
import type { FeeTable } from './fee-table.ts';
import { limitInTheWay, type MoveRange, moveRange, nearestInRange } from './move-range.ts';
import type { Policy } from './policy.ts';
import { reviewReasonFor } from './review.ts';
import type { Rule, RuleChoice } from './rule.ts';
import { type StrategyPrice, wish } from './strategy-price.ts';
import type { Bps, Cents } from './units.ts';

/** One way from the current price towards a wanted one: steps 6 and 7. */
export interface Move {
  readonly wanted: number;
  readonly reason: PriceReason;
  /** The highest price of L at or below wanted, else the lowest above. */
  readonly target: Cents;
  /** The price of L and R nearest to the target; null when none lies on the way. */
  readonly price: Cents | null;
}

/** A decision with everything it came from, so that the explanation needs no second calculation. */
export interface Evaluation {
  readonly decision: Decision;
  readonly set: AllowedPrices | null;
  readonly wish: StrategyPrice | null;
  readonly reach: MoveRange | null;
  readonly move: Move | null;
}

/** The eight steps of a decision. Never throws on facts: what cannot be used blocks. */
export function evaluate(facts: ListingFacts, choice: RuleChoice, policy: Policy): Evaluation {
  const missing = missingFact(facts);
  if (missing !== null) return endOf(blocked(missing, null));
  const current = facts.currentPrice as Cents;
  if (choice.kind !== 'own' && choice.kind !== 'matched') {
    return endOf(keep(current, RULE_KEEPS[choice.kind], 'none', null, null));
  }
  const { rule, minimumMargin } = choice;
  if (!isReadableRule(rule, minimumMargin)) return endOf(blocked('unreadable_rule', null));
  const set = allowedPricesOf(facts, minimumMargin);
  if (set.spans.length === 0) return endOf(blocked(whyNothingLegal(facts, set), set.floor), set);
  return withLegalSet(facts, rule, set, policy);
}

const RULE_KEEPS = {
  none: 'no_rule',
  own_missing: 'own_rule_missing',
  own_paused: 'own_rule_paused',
  own_mismatch: 'own_rule_mismatch',
} as const satisfies Record<Extract<RuleChoice, { minimumMargin: null }>['kind'], KeepReason>;

/** The legal prices of a listing. @param facts complete ones: `missingFact` has nothing to say about them */
export function allowedPricesOf(facts: ListingFacts, minimumMargin: Bps): AllowedPrices {
  return allowedPrices({
    totalCost: facts.cost.total as Cents,
    shippingCharge: facts.shippingCharge as Cents,
    fees: facts.fees as FeeTable,
    minimumMargin,
    minPrice: facts.minPrice,
    maxPrice: facts.maxPrice,
    anchorPrice: facts.anchorPrice,
  });
}

function whyNothingLegal(
  { minPrice, maxPrice }: ListingFacts,
  { floor, ceiling }: AllowedPrices,
): BlockReason {
  if (floor === null || ceiling === null) return 'margin_impossible';
  if (maxPrice !== null && floor > maxPrice) return 'floor_above_maximum';
  if (minPrice !== null && minPrice > ceiling) return 'minimum_above_ceiling';
  return 'range_not_legal';
}

/** Steps 4 to 8, for a listing that has a rule and at least one legal price. */
function withLegalSet(facts: ListingFacts, rule: Rule, set: AllowedPrices, policy: Policy): Evaluation {
  const current = facts.currentPrice as Cents;
  const isCurrentLegal = isAllowed(set, current);
  const reach = moveRange(current, facts.priceDayAgo, policy);
  const wished = wish(facts, rule, set, policy);
  const reference = referenceOf(wished, facts);
  if (wished.price === null && isCurrentLegal) {
    return {
      decision: keep(current, wished.reason, 'none', set.floor, reference),
      set,
      wish: wished,
      reach,
      move: null,
    };
  }
  let move =
    wished.price === null
      ? moveTo(current, 'repair', set, reach, current)
      : moveTo(wished.price, wished.reason, set, reach, current);
  let wait = waitReason(move, isCurrentLegal, facts, policy);
  if (wait !== null && allowsCorrection(wait) && !isCurrentLegal) {
    // A rest, or a refusal, may hold back what the strategy wants, never the way out of an illegal price.
    move = moveTo(current, 'repair', set, reach, current);
    wait = waitReason(move, isCurrentLegal, facts, policy);
  }
  const bound = boundOf(move, set, reach, facts);
  const gate = reviewReasonFor(facts, rule, policy) ?? refusal(move.price, isCurrentLegal, facts, rule);
  const decision = conclude(current, move, isCurrentLegal, wait, gate, bound, set.floor, reference);
  return { decision, set, wish: wished, reach, move };
}

/** The decision from plain values: an object of them would be one more for the garbage collector, millions of times. */
function conclude(
  current: Cents,
  { target, price, reason }: Move,
  isCurrentLegal: boolean,
  wait: KeepReason | null,
  gate: ReviewReason | null,
  bound: BindingLimit,
  floor: Cents | null,
  reference: Cents | null,
): Decision {
  if (price === null || price === current) {
    if (target === current) return keep(current, 'already_there', bound, floor, reference);
    if (isCurrentLegal) return keep(current, 'held_by_limit', bound, floor, reference);
    return { kind: 'recommend', price: target, reason, gate: 'beyond_reach', bound, floor, reference };
  }
  if (wait !== null) return keep(current, wait, bound, floor, reference);
  return gate === null
    ? { kind: 'change', price, reason, gate, bound, floor, reference }
    : { kind: 'recommend', price, reason, gate, bound, floor, reference };
}

/** The rule's word on our own prices elsewhere. It never keeps an illegal price in place. */
function refusal(
  price: Cents | null,
  isCurrentLegal: boolean,
  facts: ListingFacts,
  { refuseCrossChannel }: Rule,
): ReviewReason | null {
  if (!refuseCrossChannel || !isCurrentLegal || price === null) return null;
  return channelGap(facts, price)?.isWider === true ? 'cross_channel' : null;
}

function moveTo(
  wanted: number,
  reason: PriceReason,
  set: AllowedPrices,
  reach: MoveRange,
  current: Cents,
): Move {
  const target = highestAllowed(set, wanted) ?? (lowestAllowed(set, wanted) as Cents);
  return { wanted, reason, target, price: nearestInRange(set, reach, current, target) };
}

/** The limit that made the price differ from the wanted one: the last that bound is the one to name. */
function boundOf(
  { wanted, target, price }: Move,
  set: AllowedPrices,
  reach: MoveRange,
  facts: ListingFacts,
): BindingLimit {
  if (price !== target && target !== facts.currentPrice) return limitInTheWay(target, reach);
  if (target === wanted) return 'none';
  if (target > wanted) return target === set.floor ? 'floor' : 'min_price';
  if (target !== set.ceiling) return 'legal_gap';
  return facts.maxPrice === null ? 'ceiling' : 'max_price';
}

function referenceOf({ competitor }: StrategyPrice, facts: ListingFacts): Cents | null {
  if (competitor === null) return null;
  return (competitor.price + competitor.shipping - (facts.shippingCharge as Cents)) as Cents;
}

function keep(
  price: Cents,
  reason: KeepReason,
  bound: BindingLimit,
  floor: Cents | null,
  reference: Cents | null,
): Keep {
  return { kind: 'keep', price, reason, gate: null, bound, floor, reference };
}

function blocked(reason: BlockReason, floor: Cents | null): Blocked {
  return { kind: 'blocked', price: null, reason, gate: null, bound: 'none', floor, reference: null };
}

function endOf(decision: Decision, set: AllowedPrices | null = null): Evaluation {
  return { decision, set, wish: null, reach: null, move: null };
}
