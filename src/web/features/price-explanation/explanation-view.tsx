import type { PriceExplanation } from '#contract/explanation.ts';
import { CostCard, LimitsCard, RuleCard } from './facts-cards.tsx';
import { OffersCard } from './offers-card.tsx';
import { SaleCard } from './sale-card.tsx';
import { StepsCard } from './steps-card.tsx';
import { VerdictCard } from './verdict-card.tsx';

const TWO = 'grid gap-3 lg:grid-cols-2';

/** The full explanation, from the result to the underlying data. */
export function ExplanationView({ explanation }: { explanation: PriceExplanation }): React.JSX.Element {
  const hasSteps = explanation.steps.length > 0;
  return (
    <div className="flex flex-col gap-3">
      <VerdictCard explanation={explanation} />
      <div className={hasSteps ? TWO : 'grid'}>
        <SaleCard explanation={explanation} />
        {hasSteps && <StepsCard explanation={explanation} />}
      </div>
      <div className={TWO}>
        <LimitsCard {...explanation} />
        <div className="flex min-w-0 flex-col gap-3 *:last:flex-1">
          <RuleCard {...explanation} />
          <CostCard {...explanation} />
        </div>
      </div>
      <OffersCard {...explanation} />
    </div>
  );
}
