import type { PriceExplanation } from '#contract/explanation.ts';
import { CostCard, LimitsCard, RuleCard } from './facts-cards.tsx';
import { OffersCard } from './offers-card.tsx';
import { StepsCard } from './steps-card.tsx';
import { VerdictCard } from './verdict-card.tsx';

/** The full explanation, from the result to the underlying data. */
export function ExplanationView({ explanation }: { explanation: PriceExplanation }): React.JSX.Element {
  return (
    <div className="flex flex-col gap-4">
      <VerdictCard explanation={explanation} />
      <StepsCard {...explanation} />
      <div className="grid gap-4 md:grid-cols-2 lg:grid-cols-3">
        <RuleCard {...explanation} />
        <CostCard {...explanation} />
        <LimitsCard {...explanation} />
      </div>
      <OffersCard {...explanation} />
    </div>
  );
}
