import { Banknote, DollarSign, Package, Percent } from 'lucide-react';
import type { ProfitSums } from '#contract/profit-sums.ts';
import { countOf, formatCount, formatMoney } from '#web/lib/format.ts';
import { coverageText, marginText, profitText, trendsOf } from '#web/lib/profit-text.ts';
import { MetricCard, MetricCardSkeleton } from '#web/ui/metric-card.tsx';
import type { ScreenLink } from '#web/ui/screen-link.ts';
import type { Comparison } from './use-comparison.ts';

const GRID = 'grid grid-cols-2 gap-2 sm:gap-4 lg:grid-cols-4';

type ProfitCardsProps = { sum: ProfitSums; comparison: Comparison | null; link?: ScreenLink };

/** Revenue, profit, margin and units, each against the period before, and from how many sales the profit is. */
export function ProfitCards({ sum, comparison, link }: ProfitCardsProps): React.JSX.Element {
  const trends = trendsOf(comparison);
  const shared = {
    ...(comparison === null ? {} : { trendSince: comparison.since }),
    ...(link === undefined ? {} : { link }),
  };
  return (
    <div className={GRID}>
      <MetricCard
        label="Revenue"
        figure={formatMoney(sum.revenue)}
        note="With shipping"
        icon={DollarSign}
        trend={trends.revenue}
        {...shared}
      />
      <MetricCard
        label="Profit"
        figure={profitText(sum) ?? 'Not known'}
        note={sum.known === 0 ? coverageText(sum) : `From ${coverageText(sum)}`}
        icon={Banknote}
        trend={trends.profit}
        {...shared}
      />
      <MetricCard
        label="Margin"
        figure={marginText(sum)}
        note="Profit divided by revenue"
        icon={Percent}
        trend={trends.margin}
        trendUnit="pts"
        {...shared}
      />
      <MetricCard
        label="Units"
        figure={formatCount(sum.units)}
        note={countOf(sum.sales, 'sale', 'sales')}
        icon={Package}
        trend={trends.units}
        {...shared}
      />
    </div>
  );
}

/** Skeletons of the four cards. */
export function ProfitCardsSkeleton(): React.JSX.Element {
  return (
    <div className={GRID}>
      {['a', 'b', 'c', 'd'].map((key) => (
        <MetricCardSkeleton key={key} />
      ))}
    </div>
  );
}
