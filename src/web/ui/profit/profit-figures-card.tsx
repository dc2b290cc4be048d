import { useId } from 'react';
import type { ProfitSums } from '#contract/profit-sums.ts';
import { countOf, formatCount, formatMoney } from '#web/lib/format.ts';
import type { PeriodName } from '#web/lib/periods.ts';
import { coverageText, marginText, profitText, trendsOf } from '#web/lib/profit-text.ts';
import { Card } from '#web/ui/card.tsx';
import { CardHead } from '#web/ui/card-head.tsx';
import { Figure, FigureSkeletons, Figures, type FigureTrend } from '#web/ui/figures.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { profitFinding } from './profit-finding.ts';
import type { Comparison } from './use-comparison.ts';

type ProfitFiguresCardProps = {
  sum: ProfitSums;
  comparison: Comparison | null;
  /** Null for chosen days. */
  period: PeriodName | null;
};

const LABELS = ['Profit', 'Revenue', 'Margin', 'Units'] as const;

/** Profit, revenue, margin and units, each against the period before, and from how many sales the profit is. */
export function ProfitFiguresCard({ sum, comparison, period }: ProfitFiguresCardProps): React.JSX.Element {
  const headingId = useId();
  const [profit, revenue, margin, units] = LABELS;
  const trends = trendsOf(comparison);
  const against = (change: string | null, unit: '%' | 'pts' = '%'): FigureTrend | null =>
    change === null ? null : { change, unit, since: `vs. ${comparison?.since ?? ''}`, isSinceSaid: true };
  return (
    <section aria-labelledby={headingId}>
      <Card className="p-0">
        <CardHead
          id={headingId}
          title={profitFinding(sum, comparison, period)}
          {...(comparison === null ? {} : { caption: `Compared with ${comparison.since}` })}
        />
        <Figures look="inCard" columns={4}>
          <Figure
            label={profit}
            note={sum.known === 0 ? coverageText(sum) : `From ${coverageText(sum)}`}
            trend={against(trends.profit)}
          >
            {profitText(sum) ?? 'Unknown'}
          </Figure>
          <Figure label={revenue} note="With shipping" trend={against(trends.revenue)}>
            {formatMoney(sum.revenue)}
          </Figure>
          <Figure label={margin} note="Profit divided by revenue" trend={against(trends.margin, 'pts')}>
            {marginText(sum)}
          </Figure>
          <Figure label={units} note={countOf(sum.sales, 'sale', 'sales')} trend={against(trends.units)}>
            {formatCount(sum.units)}
          </Figure>
        </Figures>
      </Card>
    </section>
  );
}

/** The skeleton of the card. */
export function ProfitFiguresSkeleton(): React.JSX.Element {
  return (
    <Card className="p-0">
      <div className="flex min-h-11 items-center px-4">
        <Skeleton className="h-3 w-72 max-w-full" />
      </div>
      <FigureSkeletons look="inCard" columns={4} labels={LABELS} testId="metric-skeleton" />
    </Card>
  );
}
