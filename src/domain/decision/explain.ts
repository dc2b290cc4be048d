import { asLinesSaw, type Competition, competitionOf, EVERY_OFFER } from '#domain/competition/competition.ts';
import { landedPrice, type OfferStatus, offerStatus } from '#domain/competition/competitors.ts';
import type { Offer, SellerKey } from '#domain/competition/offer.ts';
import { opponentKey } from '#domain/competition/recent-moves.ts';
import type { ListingCost } from '#domain/costs/cost.ts';
import { costWithoutFees } from '#domain/costs/cost-without-fees.ts';
import { marginOf } from '#domain/costs/margin.ts';
import { highestAllowedTo, lowestAllowedFrom } from '#domain/limits/allowed-prices.ts';
import { type BandEdge, bandEdgeOf } from '#domain/limits/fee-band-edge.ts';
import type { Policy } from '#domain/limits/policy.ts';
import { wantAgainstOffer } from '#domain/lines/compile-target.ts';
import type { Line, Relation, Situation } from '#domain/lines/line.ts';
import { type LineStatus, type LineStep, linesPrice } from '#domain/lines/lines-price.ts';
import { landedBound, relationOf } from '#domain/lines/market.ts';
import { partTexts } from '#domain/lines/print-lines.ts';
import type { Rule, RuleChoice, Strategy } from '#domain/rules/rule.ts';
import { minutesUntilOpen } from '#domain/rules/schedule.ts';
import type { Bps, Cents, Instant, Millis } from '#domain/units.ts';
import { type ChannelGap, channelGap } from './cross-channel.ts';
import { type Evaluation, evaluate } from './decide.ts';
import type { Decision } from './decision.ts';
import type { ListingFacts } from './facts.ts';
import { fixFor } from './fix.ts';
import { reasonSentence } from './reason-sentence.ts';
import { skippedBelow } from './strategy-price.ts';
import { waitEnd } from './wait-reason.ts';

/** One offer and whether it counted. */
export interface OfferTrace {
  readonly seller: string | null;
  readonly price: Cents;
  readonly shipping: Cents;
  readonly landed: Cents;
  readonly age: Millis | null;
  readonly status: OfferStatus;
  /** How it is shipped compared with ours, where lines decide. */
  readonly relation: Relation | null;
  /** The price that the deciding line asks for against it; null where it asks for none, or for that of another listing. */
  readonly want: number | null;
}

/** The steps of a decision, in their order. */
export const TRACE_STEPS = ['strategy_price', 'target', 'edge', 'move_range', 'wait', 'result'] as const;

export interface StepTrace {
  readonly step: (typeof TRACE_STEPS)[number];
  readonly from: number;
  readonly to: number;
  readonly because: string;
}

/** One line of a rule and what became of it. */
export interface LineTrace {
  /** From 1. */
  readonly line: number;
  readonly action: string;
  readonly status: LineStatus;
  /** The condition that does not hold, or asks about something unknown. */
  readonly condition: string | null;
  /** What that condition found; null where it is not known. */
  readonly value: string | null;
  /** The price that the line asks for, and the lowest one that it may ask for. */
  readonly want: number | null;
  readonly least: number | null;
  readonly restsUntil: Instant | null;
}

/** All inputs and steps of a decision in readable order, as plain JSON data. */
export interface Trace {
  readonly facts: {
    readonly currentPrice: Cents | null;
    readonly anchorPrice: Cents | null;
    readonly minPrice: Cents | null;
    readonly maxPrice: Cents | null;
    readonly shippingCharge: Cents | null;
    readonly priceDayAgo: Cents | null;
    readonly pendingPrice: Cents | null;
    readonly cost: ListingCost;
  };
  readonly rule: {
    readonly id: string;
    readonly name: string;
    readonly strategy: Strategy;
    readonly why: RuleChoice['kind'];
    readonly minimumMargin: Bps | null;
  } | null;
  readonly fees: string | null;
  readonly allowed: {
    readonly marginFloor: Cents | null;
    readonly priceCeiling: Cents | null;
    /** Flat pairs `[from, to, ...]`. */
    readonly ranges: readonly number[];
  } | null;
  readonly moveRange: { readonly low: number; readonly high: number } | null;
  /** What is known about the competitors. */
  readonly competition: Competition;
  readonly offers: readonly OfferTrace[];
  /** The lines of the rule down to the one that decided; null where the strategy decides. */
  readonly lines: {
    readonly situation: Situation | null;
    /** Since when it lasts; null where no line looks at competitors. */
    readonly since: Instant | null;
    /** The share of the readings of the last 6 hours in which the buy box was ours; null below three. */
    readonly boxShare: Bps | null;
    readonly each: readonly LineTrace[];
  } | null;
  readonly steps: readonly StepTrace[];
  /** The target that was given up for a lower price that leaves at least as much; null for none. */
  readonly bandEdge: BandEdge | null;
  /** The next allowed price below the gap at which a cut ends; null for none. */
  readonly gapBelow: Cents | null;
  /** The gap between our channels at that price; null for none. */
  readonly channelGap: ChannelGap | null;
  readonly margin: { readonly before: Bps | null; readonly after: Bps | null };
}

export interface Explanation {
  readonly decision: Decision;
  /** In plain English, for the seller. */
  readonly sentence: string;
  /** What to do about a blocked listing; null unless blocked. */
  readonly fix: string | null;
  /** The latest time at which a waiting price may move again; null if the wait does not end with time. */
  readonly restEndsAt: Instant | null;
  /** The competitor that counted; null if none did. */
  readonly competitor: Offer | null;
  /** Whom the price goes against, for the count of cuts. */
  readonly against: SellerKey | null;
  readonly trace: Trace;
}

/** The same decision as `decide`, with the sentence and the trace. */
export function explain(facts: ListingFacts, choice: RuleChoice, policy: Policy): Explanation {
  const notes: LineStep[] = [];
  const evaluation = evaluate(facts, choice, policy, notes);
  const { decision } = evaluation;
  const gap =
    decision.kind === 'change' || decision.kind === 'recommend' ? channelGap(facts, decision.price) : null;
  const bandEdge = edgeOf(evaluation, facts);
  const gapBelow = gapBelowOf(evaluation);
  const skipBelow = skipBelowOf(facts, choice, evaluation);
  const competition = asLinesSaw(
    competitionOf(facts, choice.rule ?? EVERY_OFFER, policy, skipBelow),
    decision.line?.situation ?? null,
  );
  const source = evaluation.strategyPrice === null ? null : (facts.group?.source ?? null);
  const lineSteps =
    source?.steps ?? (notes.length > 0 ? notes : lineStepsOf(facts, choice, policy, evaluation));
  const sentence = reasonSentence({
    decision,
    facts,
    rule: choice.rule,
    minimumMargin: choice.minimumMargin,
    policy,
    competitor: evaluation.strategyPrice?.competitor ?? null,
    competition,
    ceiling: evaluation.allowed?.priceCeiling ?? null,
    gap,
    bandEdge,
    gapBelow,
    lineSteps,
    source,
  });
  const fix = decision.kind === 'blocked' ? fixFor(decision.reason, facts) : null;
  return {
    decision,
    sentence,
    fix,
    restEndsAt: restEnd(decision, facts, choice, policy),
    competitor: evaluation.strategyPrice?.competitor ?? null,
    against: opponentKey(evaluation.strategyPrice),
    trace: traceOf(facts, choice, policy, evaluation, gap, bandEdge, competition, skipBelow, lineSteps),
  };
}

/** When the price may move again, where that is a matter of time. A halt and a hold without an end are not. */
function restEnd(
  decision: Decision,
  facts: ListingFacts,
  { rule }: RuleChoice,
  policy: Policy,
): Instant | null {
  if (decision.kind === 'recommend')
    return decision.reviewReason === 'held' ? (facts.hold?.until ?? null) : null;
  if (decision.kind !== 'keep') return null;
  const { reason, line } = decision;
  if (reason === 'own_rule_off_hours') return nextOpening(rule, policy);
  const action = rule?.lines?.[(line?.number ?? 0) - 1]?.action;
  if (reason !== 'line_waits' || action === undefined || !('every' in action))
    return waitEnd(reason, facts, policy);
  const end = (facts.lastChangedAt ?? Number.NaN) + action.every;
  return Number.isFinite(end) ? (end as Instant) : null;
}

function nextOpening(rule: Rule | null, { local, now }: Policy): Instant | null {
  const schedule = rule?.schedule ?? null;
  const minutes = schedule === null || local === null ? null : minutesUntilOpen(schedule, local);
  // Windows begin with a full minute.
  return minutes === null ? null : ((Math.floor(now / 60_000) * 60_000 + minutes * 60_000) as Instant);
}

function traceOf(
  facts: ListingFacts,
  choice: RuleChoice,
  policy: Policy,
  evaluation: Evaluation,
  gap: ChannelGap | null,
  bandEdge: BandEdge | null,
  competition: Competition,
  skipBelow: number,
  lineSteps: readonly LineStep[],
): Trace {
  const { allowed, range, decision } = evaluation;
  return {
    facts: {
      currentPrice: facts.currentPrice,
      anchorPrice: facts.anchorPrice,
      minPrice: facts.minPrice,
      maxPrice: facts.maxPrice,
      shippingCharge: facts.shippingCharge,
      priceDayAgo: facts.priceDayAgo,
      pendingPrice: facts.pendingPrice,
      cost: facts.cost,
    },
    rule: ruleTrace(choice),
    fees: facts.fees?.version ?? null,
    allowed:
      allowed === null
        ? null
        : { marginFloor: allowed.marginFloor, priceCeiling: allowed.priceCeiling, ranges: allowed.ranges },
    moveRange: range === null ? null : { low: range.low, high: range.high },
    competition,
    offers: offerTraces(facts, choice, policy, decision, skipBelow),
    lines: linesTrace(facts, choice.rule, policy, decision, lineSteps),
    steps: stepTraces(facts, evaluation),
    bandEdge,
    gapBelow: gapBelowOf(evaluation),
    channelGap: gap,
    margin: {
      before: marginAt(facts.currentPrice, facts),
      after: marginAt(decision.price, facts),
    },
  };
}

/** Goes through the lines with notes, for a price group that an earlier release decided without them. */
function lineStepsOf(
  facts: ListingFacts,
  { rule, minimumMargin }: RuleChoice,
  policy: Policy,
  { allowed, strategyPrice }: Evaluation,
): readonly LineStep[] {
  const lines = rule?.lines ?? null;
  if (rule === null || lines === null || minimumMargin === null || allowed === null || strategyPrice === null)
    return [];
  const steps: LineStep[] = [];
  linesPrice(facts, rule, lines, minimumMargin, allowed, policy, steps);
  return steps;
}

function linesTrace(
  { signals, group }: ListingFacts,
  rule: Rule | null,
  { now }: Policy,
  { line }: Decision,
  steps: readonly LineStep[],
): Trace['lines'] {
  const lines = rule?.lines ?? null;
  if (lines === null) return null;
  const situation = line?.situation ?? null;
  const known = signals?.situation ?? null;
  const since = situation === null ? null : known?.kind === situation ? known.since : now;
  const boxShare = (group?.source ?? signals)?.boxShare ?? null;
  return {
    situation,
    since,
    boxShare,
    each: steps.map(({ line: number, status, condition, value, want, least, restsUntil }) => {
      const written = partTexts(lines[number - 1] as Line);
      return {
        line: number,
        action: written.action,
        status,
        condition: condition === null ? null : (written.conditions[condition] as string),
        value,
        want,
        least,
        restsUntil,
      };
    }),
  };
}

function edgeOf({ move }: Evaluation, { fees, shippingCharge }: ListingFacts): BandEdge | null {
  if (move === null || fees === null || shippingCharge === null) return null;
  return bandEdgeOf(move.passedOver, move.target, fees, shippingCharge);
}

function gapBelowOf({ decision: { bindingLimit }, allowed, move }: Evaluation): Cents | null {
  const isCutEnd = bindingLimit === 'fee_band_gap' && move !== null && move.target > move.strategyPrice;
  return isCutEnd && allowed !== null ? highestAllowedTo(allowed, move.strategyPrice) : null;
}

function ruleTrace(choice: RuleChoice): Trace['rule'] {
  const { rule, kind, minimumMargin } = choice;
  return rule === null
    ? null
    : { id: rule.id, name: rule.name, strategy: rule.strategy, why: kind, minimumMargin };
}

/** Landed prices below this are skipped. */
function skipBelowOf(facts: ListingFacts, { rule }: RuleChoice, { allowed }: Evaluation): number {
  if (rule === null || allowed === null || allowed.ranges.length === 0) return Number.NEGATIVE_INFINITY;
  const lowest = lowestAllowedFrom(allowed, 1) as Cents;
  const charge = facts.shippingCharge as Cents;
  return rule.lines === null ? skippedBelow(rule, lowest, charge) : landedBound(rule, lowest, charge);
}

function offerTraces(
  facts: ListingFacts,
  choice: RuleChoice,
  policy: Policy,
  { line }: Decision,
  skipBelow: number,
): OfferTrace[] {
  const { rule } = choice;
  if (rule === null) return [];
  const { lines } = rule;
  const action = isByOwnOffers(facts) ? lines?.[(line?.number ?? 0) - 1]?.action : undefined;
  const target = action?.kind === 'ask' ? action.target : null;
  return facts.offers.map((offer) => {
    const status = offerStatus(offer, facts, rule, policy);
    const landed = landedPrice(offer) as Cents;
    return {
      seller: offer.sellerName,
      price: offer.price,
      shipping: offer.shipping,
      landed,
      age: offer.seenAt === null ? null : ((policy.now - offer.seenAt) as Millis),
      status: status === 'counted' && landed < skipBelow ? 'below_floor' : status,
      relation: lines === null ? null : relationOf(offer, facts.fulfillmentType),
      want:
        status === 'counted' && landed >= skipBelow && target !== null
          ? wantAgainstOffer(target, offer, facts)
          : null,
    };
  });
}

/** Whether lines went by the offers of this listing, and not of another one with the same price. */
function isByOwnOffers({ sku, group }: ListingFacts): boolean {
  const source = group?.source ?? null;
  return group?.decision == null && (source === null || source.sku === sku);
}

function stepTraces({ currentPrice }: ListingFacts, { decision, move }: Evaluation): StepTrace[] {
  if (move === null || currentPrice === null || decision.price === null) return [];
  const { strategyPrice, target, passedOver, price, reason } = move;
  const nearest = passedOver ?? target;
  const steps: StepTrace[] = [
    { step: 'strategy_price', from: currentPrice, to: strategyPrice, because: reason },
    {
      step: 'target',
      from: strategyPrice,
      to: nearest,
      because: strategyPrice === nearest ? 'allowed' : 'nearest_allowed',
    },
  ];
  if (passedOver !== null) steps.push({ step: 'edge', from: passedOver, to: target, because: 'leaves_more' });
  if (price !== null) {
    steps.push({
      step: 'move_range',
      from: target,
      to: price,
      because: price === target ? 'in_move_range' : decision.bindingLimit,
    });
  }
  // Allowed prices and move range permit the move, but it has to wait.
  const isWaiting = decision.kind === 'keep' && price !== null && price !== decision.price;
  if (isWaiting) steps.push({ step: 'wait', from: price, to: decision.price, because: decision.reason });
  const because = decision.reviewReason ?? (decision.kind === 'keep' ? decision.reason : decision.kind);
  steps.push({
    step: 'result',
    from: isWaiting ? decision.price : (price ?? target),
    to: decision.price,
    because,
  });
  return steps;
}

function marginAt(price: Cents | null, { shippingCharge, cost, fees }: ListingFacts): Bps | null {
  const totalCost = costWithoutFees({ cost, fees });
  if (price === null || shippingCharge === null || totalCost === null || fees === null) return null;
  return marginOf(price, shippingCharge, totalCost, fees);
}
