import type { Cents } from '#domain/units.ts';
import type { FulfillmentStep } from './fee-basis.ts';

/**
 * Steps in which an unknown fee is the highest known one: to find a price to ask, never to set one. Without a guess no price of
 * an unknown step would keep the margin, and none of it would ever be asked.
 */
export function withGuessedFees(steps: readonly FulfillmentStep[]): FulfillmentStep[] {
  const highest = Math.max(0, ...steps.flatMap(({ fee }) => fee ?? [])) as Cents;
  return steps.map((step) => ({ ...step, fee: step.fee ?? highest }));
}
