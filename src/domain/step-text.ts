import type { Decision, PriceReason } from './decision.ts';
import type { Explanation, StepTrace } from './explain.ts';
import { boundText, GATES } from './explanation-text.ts';
import type { Policy } from './policy.ts';
import { moneyText } from './text.ts';
import type { Cents } from './units.ts';

/** One step from price to price, for the seller to read. */
export function stepText(step: StepTrace, explanation: Explanation, policy: Policy): string {
  const to = moneyText(step.to as Cents);
  switch (step.step) {
    case 'wanted':
      return `${WANTED[step.because as PriceReason]} asks ${to}.`;
    case 'target':
      return step.because === 'legal'
        ? `${to} is a legal price.`
        : `${moneyText(step.from as Cents)} is not a legal price; the nearest is ${to}.`;
    case 'reach':
      return step.because === 'in_reach' ? `${to} is within one step.` : reachText(to, explanation, policy);
    case 'rest':
      return explanation.sentence;
    case 'result':
      return resultText(explanation.decision);
  }
}

const WANTED = {
  matched: 'Matching the lowest competitor',
  beaten: 'Beating the lowest competitor',
  fixed_margin: 'The fixed margin',
  dynamic_cold_start: 'Without learning from sales, matching the lowest competitor',
  no_competitor_floor: 'Without a competitor the rule',
  no_competitor_ceiling: 'Without a competitor the rule',
  below_floor_ceiling: 'Against a competitor below your lowest price the rule',
  repair: 'The current price is outside your limits, and the way back',
} as const satisfies Record<PriceReason, string>;

function reachText(to: string, { decision, trace }: Explanation, policy: Policy): string {
  const minimumMargin = trace.rule?.minimumMargin ?? null;
  const bound = boundText(decision.bound, { price: decision.price, minimumMargin, policy });
  return bound === null ? `The step ends at ${to}.` : `${bound} The step ends at ${to}.`;
}

function resultText(decision: Decision): string {
  switch (decision.kind) {
    case 'change':
      return `The price becomes ${moneyText(decision.price)}.`;
    case 'recommend':
      return `${GATES[decision.gate]} ${moneyText(decision.price)} waits for a person to apply it.`;
    case 'keep':
      return `The price stays at ${moneyText(decision.price)}.`;
    case 'blocked':
      return 'No price can be given.';
  }
}
