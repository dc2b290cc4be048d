import type { PriceExplanation } from '#contract/explanation.ts';
import type { Competition } from '#domain/competition/competition.ts';
import { competitionText } from '#domain/competition/competition-text.ts';
import type { Offer } from '#domain/competition/offer.ts';
import { type Explanation, explain, type OfferTrace, type Trace } from '#domain/decision/explain.ts';
import {
  bindingLimitText,
  channelGapText,
  offerStatusText,
  whyThisRule,
} from '#domain/decision/explanation-text.ts';
import type { DecisionCase } from '#domain/decision/stored-case.ts';
import { stepText } from '#domain/decision/trace-step-text.ts';
import type { Rule } from '#domain/rules/rule.ts';
import type { Instant } from '#domain/units.ts';
import { moment, money, moneyOrNull, percentOrNull } from '#usecases/repricing/pricing/api-values.ts';
import {
  allowedPart,
  type ExplainedListing,
  factsPart,
  feesPart,
  listingPart,
  profitPart,
} from './explained-parts.ts';
import { tracedLines, wantText } from './traced-lines.ts';

type ExplainedOffer = PriceExplanation['offers'][number];

/** What an explanation shows in addition to the decision itself. */
export interface ExplanationContext {
  readonly of: PriceExplanation['of'];
  readonly at: Instant;
  /** The user, for a user's action. */
  readonly actor: string | null;
  /** Other rules that match; null when that is no longer known. */
  readonly otherRules: readonly string[] | null;
}

/** Explains a current decision, or one replayed from its stored facts. */
export function explainDecision(
  listing: ExplainedListing,
  decisionCase: DecisionCase,
  { of, at, actor, otherRules }: ExplanationContext,
): PriceExplanation {
  const { facts, choice, policy } = decisionCase;
  const explanation = explain(facts, choice, policy);
  const { decision, sentence, fix, restEndsAt, trace } = explanation;
  const { minimumMargin } = choice;
  return {
    listing: listingPart(listing),
    of,
    at: moment(at),
    sentence,
    fix,
    actor,
    restEndsAt: restEndsAt === null ? null : moment(restEndsAt),
    outcome: decision.kind,
    price: moneyOrNull(decision.price),
    reasonCode: decision.reason,
    reviewReason: decision.reviewReason,
    bindingLimit: decision.bindingLimit,
    bindingLimitText: bindingLimitText(decision.bindingLimit, {
      price: decision.price,
      gapBelow: trace.gapBelow,
      minimumMargin,
      policy,
    }),
    rule: rulePart(decisionCase, otherRules),
    lines: linesPart(decisionCase, trace.lines),
    facts: factsPart(facts),
    fees: feesPart(facts.fees),
    allowed: allowedPart(trace.allowed),
    moveRange:
      trace.moveRange === null
        ? null
        : { low: money(trace.moveRange.low), high: money(trace.moveRange.high) },
    channelGap: trace.channelGap === null ? null : channelGapText(trace.channelGap),
    competition: competitionPart(decisionCase, trace.competition),
    offers: offersPart(decisionCase, trace.offers),
    steps: stepsPart(explanation, decisionCase),
    margin: {
      before: percentOrNull(trace.margin.before),
      after: percentOrNull(trace.margin.after),
    },
    profit: profitPart(facts.currentPrice, decision.price, facts),
  };
}

function rulePart(
  { choice, facts }: DecisionCase,
  others: readonly string[] | null,
): PriceExplanation['rule'] {
  const { rule, minimumMargin } = choice;
  if (rule === null) return null;
  const { id, name } = rule;
  const strategy = rule.lines === null ? rule.strategy : null;
  const why = whyThisRule(choice, facts, others);
  return { id, name, strategy, minimumMargin: percentOrNull(minimumMargin), why };
}

function linesPart({ choice }: DecisionCase, trace: Trace['lines']): PriceExplanation['lines'] {
  const lines = choice.rule?.lines ?? null;
  if (lines === null || trace === null || trace.each.length === 0) return null;
  const { situation, since, each } = trace;
  return { situation, since: since === null ? null : moment(since), each: tracedLines(lines, each) };
}

function competitionPart(
  { facts, policy }: DecisionCase,
  competition: Competition,
): PriceExplanation['competition'] {
  const { status, readAt } = competition;
  return {
    status,
    readAt: readAt === null || !Number.isFinite(readAt) ? null : moment(readAt),
    text: competitionText({ competition, facts, policy }),
  };
}

function offersPart(decisionCase: DecisionCase, traces: readonly OfferTrace[]): ExplainedOffer[] {
  const { rule } = decisionCase.choice;
  // Without a rule no offers are compared, and the trace has none.
  if (rule === null) return [];
  return traces.map((trace, index) => {
    const offer = decisionCase.facts.offers[index];
    if (offer === undefined) throw new Error('The trace has an offer that the facts do not have.');
    return offerPart(offer, trace, decisionCase, rule);
  });
}

function offerPart(
  offer: Offer,
  { status, landed, want }: OfferTrace,
  { facts, policy }: DecisionCase,
  rule: Rule,
): ExplainedOffer {
  return {
    seller: offer.sellerName,
    channel: offer.channel,
    price: money(offer.price),
    shipping: money(offer.shipping),
    landed: money(landed),
    fulfillmentType: offer.fulfillmentType,
    isFeatured: offer.isFeatured,
    seenAt: offer.seenAt === null ? null : moment(offer.seenAt),
    status,
    statusText: offerStatusText(status, { offer, facts, rule, policy }),
    want: wantText(want),
  };
}

function stepsPart(explanation: Explanation, { policy }: DecisionCase): PriceExplanation['steps'] {
  return explanation.trace.steps.map((step) => ({
    step: step.step,
    from: money(step.from),
    to: money(step.to),
    because: step.because,
    text: stepText(step, explanation, policy),
  }));
}
