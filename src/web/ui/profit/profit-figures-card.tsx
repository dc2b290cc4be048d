import { useId } from 'react';
import type { ProfitSums } from '#contract/profit-sums.ts';
import { countOf, formatCount, formatMoney } from '#web/lib/format.ts';
import type { PeriodName } from '#web/lib/periods.ts';
import { coverageText, marginText, profitText, trendsOf } from '#web/lib/profit-text.ts';
import { Card } from '#web/ui/card.tsx';
import { CardHead } from '#web/ui/card-head.tsx';
import { type Figure, FigureStrip, FigureStripSkeleton } from '#web/ui/figure-strip.tsx';
import type { ScreenLink } from '#web/ui/screen-link.ts';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { profitFinding } from './profit-finding.ts';
import type { Comparison } from './use-comparison.ts';

type ProfitFiguresCardProps = {
  sum: ProfitSums;
  comparison: Comparison | null;
  /** Null for chosen days. */
  period: PeriodName | null;
  link?: ScreenLink;
  /** What sales below their minimum margin lack, second after the profit. */
  lost?: Figure | null;
  /** Controls in the head. */
  children?: React.ReactNode;
};

/** Profit, revenue, margin and units, each against the period before, and from how many sales the profit is. */
export function ProfitFiguresCard(props: ProfitFiguresCardProps): React.JSX.Element {
  const { sum, comparison, period, link, lost = null, children } = props;
  const headingId = useId();
  const since = comparison?.since;
  return (
    <section aria-labelledby={headingId}>
      <Card className="p-0">
        <CardHead
          id={headingId}
          title={profitFinding(sum, comparison, period)}
          {...(since === undefined ? {} : { caption: `Compared with ${since}` })}
        >
          {children}
        </CardHead>
        <FigureStrip
          figures={withLost(figuresOf(sum, comparison, link), lost)}
          since={`on ${since ?? ''}`}
          isSinceSaid
        />
      </Card>
    </section>
  );
}

function withLost([profit, ...others]: readonly Figure[], lost: Figure | null): readonly Figure[] {
  return [...(profit === undefined ? [] : [profit]), ...(lost === null ? [] : [lost]), ...others];
}

/** Profit comes first. */
function figuresOf(sum: ProfitSums, comparison: Comparison | null, link: ScreenLink | undefined): Figure[] {
  const trends = trendsOf(comparison);
  const shared = link === undefined ? {} : { link };
  return [
    {
      label: 'Profit',
      figure: profitText(sum) ?? 'Not known',
      note: sum.known === 0 ? coverageText(sum) : `From ${coverageText(sum)}`,
      trend: trends.profit,
      ...shared,
    },
    {
      label: 'Revenue',
      figure: formatMoney(sum.revenue),
      note: 'With shipping',
      trend: trends.revenue,
      ...shared,
    },
    {
      label: 'Margin',
      figure: marginText(sum),
      note: 'Profit divided by revenue',
      trend: trends.margin,
      trendUnit: 'pts',
      ...shared,
    },
    {
      label: 'Units',
      figure: formatCount(sum.units),
      note: countOf(sum.sales, 'sale', 'sales'),
      trend: trends.units,
      ...shared,
    },
  ];
}

/** The skeleton of the card. */
export function ProfitFiguresSkeleton(): React.JSX.Element {
  return (
    <Card className="p-0">
      <div className="flex min-h-11 items-center px-4">
        <Skeleton className="h-3 w-72 max-w-full" />
      </div>
      <FigureStripSkeleton count={4} testId="metric-skeleton" />
    </Card>
  );
}
