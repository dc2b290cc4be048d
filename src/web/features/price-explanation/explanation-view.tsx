import type { PriceExplanation } from '#contract/explanation.ts';
import { CostCard, LimitsCard, LinesCard, RuleCard } from './facts-cards.tsx';
import { LadderCard } from './ladder-card.tsx';
import { OffersCard } from './offers-card.tsx';
import { OutcomeCard } from './outcome-card.tsx';
import { SaleCard } from './sale-card.tsx';
import { StepsCard } from './steps-card.tsx';

const TWO = 'grid gap-3 *:min-w-0 lg:grid-cols-2';
const COLUMN = 'flex min-w-0 flex-col gap-3 *:last:flex-1';

/** The full explanation, from the result to the underlying data. */
export function ExplanationView({ explanation }: { explanation: PriceExplanation }): React.JSX.Element {
  const hasSteps = explanation.steps.length > 0;
  const ladder = LadderCard({ explanation });
  return (
    <div className="flex flex-col gap-3">
      <OutcomeCard explanation={explanation} />
      <div className={ladder === null && !hasSteps ? 'grid' : TWO}>
        <SaleCard explanation={explanation} />
        {ladder ?? (hasSteps && <StepsCard explanation={explanation} />)}
      </div>
      <div className={TWO}>
        <div className={COLUMN}>
          {ladder !== null && hasSteps && <StepsCard explanation={explanation} />}
          <RuleCard {...explanation} />
          {explanation.lines !== null && <LinesCard {...explanation} />}
          {(ladder === null || !hasSteps) && <CostCard {...explanation} />}
        </div>
        <LimitsCard {...explanation} />
      </div>
      {ladder === null || !hasSteps ? (
        <OffersCard {...explanation} />
      ) : (
        <div className="grid gap-3 xl:grid-cols-[minmax(0,1fr)_minmax(0,2.2fr)]">
          <CostCard {...explanation} />
          <OffersCard {...explanation} />
        </div>
      )}
    </div>
  );
}
