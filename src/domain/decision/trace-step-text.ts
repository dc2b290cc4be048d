import type { Policy } from '#domain/limits/policy.ts';
import { moneyText } from '#domain/text.ts';
import type { Cents } from '#domain/units.ts';
import type { Decision, PriceReason } from './decision.ts';
import type { Explanation, StepTrace } from './explain.ts';
import { bindingLimitText, edgePhrase, REVIEW_REASON_TEXTS } from './explanation-text.ts';

/** One step from price to price, for the seller to read. */
export function stepText(step: StepTrace, explanation: Explanation, policy: Policy): string {
  const to = moneyText(step.to as Cents);
  switch (step.step) {
    case 'strategy_price':
      return `${WANTED[step.because as PriceReason]} gives ${to}.`;
    case 'target':
      return step.because === 'allowed'
        ? `${to} is allowed.`
        : `${moneyText(step.from as Cents)} is not allowed; the nearest allowed price is ${to}.`;
    case 'edge':
      return edgeText(to, explanation);
    case 'move_range':
      return step.because === 'in_move_range'
        ? `${to} is within the step and daily limits.`
        : reachText(to, explanation, policy);
    case 'wait':
      return explanation.sentence;
    case 'result':
      return resultText(explanation.decision);
  }
}

function edgeText(to: string, { trace: { bandEdge } }: Explanation): string {
  return bandEdge === null
    ? `${to} leaves more.`
    : `${to} ${edgePhrase(bandEdge)}: fees are higher above it.`;
}

const WANTED = {
  matched: 'Matching the lowest competitor',
  beaten: 'Beating the lowest competitor',
  fixed_margin: 'The fixed margin',
  dynamic_cold_start: 'Without sales to learn from, matching the lowest competitor',
  no_competitor_floor: 'Without a competitor, the rule',
  no_competitor_ceiling: 'Without a competitor, the rule',
  below_floor_ceiling: 'With the competitor below your lowest allowed price, the rule',
  line: 'The line of the rule that applies',
  repair: 'The current price is outside your limits, and correcting it',
} as const satisfies Record<PriceReason, string>;

function reachText(to: string, { decision, trace }: Explanation, policy: Policy): string {
  const minimumMargin = trace.rule?.minimumMargin ?? null;
  const limit = bindingLimitText(decision.bindingLimit, {
    price: decision.price,
    gapBelow: trace.gapBelow,
    minimumMargin,
    policy,
  });
  return limit === null ? `The price for this run is ${to}.` : `${limit} The price for this run is ${to}.`;
}

function resultText(decision: Decision): string {
  switch (decision.kind) {
    case 'change':
      return `The price changes to ${moneyText(decision.price)}.`;
    case 'recommend':
      // During a halt the price cannot be applied, so it is only shown.
      if (decision.reviewReason === 'halted')
        return `${REVIEW_REASON_TEXTS.halted} ${moneyText(decision.price)} is recommended.`;
      return `${REVIEW_REASON_TEXTS[decision.reviewReason]} ${moneyText(decision.price)} needs your review.`;
    case 'keep':
      return `The price stays at ${moneyText(decision.price)}.`;
    case 'blocked':
      return 'The listing cannot be priced.';
  }
}
