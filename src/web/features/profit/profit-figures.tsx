import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Banknote, DollarSign, Package, Percent } from 'lucide-react';
import type { ProfitSums } from '#contract/sales.ts';
import { countOf, formatCount, formatMoney } from '#web/lib/format.ts';
import { coverageText, marginText, profitText, trendsOf } from '#web/lib/profit-text.ts';
import { sessionQuery } from '#web/lib/session.ts';
import { Callout } from '#web/ui/callout.tsx';
import { EmptyNote } from '#web/ui/empty-note.tsx';
import { MetricCard, MetricCardSkeleton } from '#web/ui/metric-card.tsx';
import { here } from './here.ts';
import type { Comparison } from './use-comparison.ts';

const GRID = 'grid grid-cols-1 gap-4 sm:grid-cols-2 lg:grid-cols-4';

type ProfitFiguresProps = { sum: ProfitSums; comparison: Comparison | null };

/** Revenue, profit, margin and units, each against the period before, and from how many sales the profit is. */
export function ProfitFigures({ sum, comparison }: ProfitFiguresProps): React.JSX.Element {
  const trends = trendsOf(comparison);
  const since = comparison === null ? {} : { trendSince: comparison.since };
  return (
    <>
      <div className={GRID}>
        <MetricCard
          label="Revenue"
          figure={formatMoney(sum.revenue)}
          note="With shipping"
          icon={DollarSign}
          trend={trends.revenue}
          {...since}
        />
        <MetricCard
          label="Profit"
          figure={profitText(sum) ?? 'Not known'}
          note={sum.known === 0 ? coverageText(sum) : `From ${coverageText(sum)}`}
          icon={Banknote}
          trend={trends.profit}
          {...since}
        />
        <MetricCard
          label="Margin"
          figure={marginText(sum)}
          note="Profit divided by revenue"
          icon={Percent}
          trend={trends.margin}
          trendUnit="pts"
          {...since}
        />
        <MetricCard
          label="Units"
          figure={formatCount(sum.units)}
          note={countOf(sum.sales, 'sale', 'sales')}
          icon={Package}
          trend={trends.units}
          {...since}
        />
      </div>
      {sum.known < sum.sales && <UnknownProfit sum={sum} />}
    </>
  );
}

const ACTION = 'font-medium text-link underline underline-offset-2';

/** Sales without profit, and the steps that change that. */
function UnknownProfit({ sum }: { sum: ProfitSums }): React.JSX.Element {
  const isAdmin = useQuery(sessionQuery).data?.role === 'admin';
  const count = sum.sales - sum.known;
  return (
    <Callout tone="info" title={`Profit is unknown for ${countOf(count, 'sale', 'sales')}`}>
      <p className="text-sm text-fg-muted">
        A cost or a fee is missing. Once it is entered, their profit is calculated automatically.
      </p>
      <p className="mt-2 flex flex-wrap gap-x-4 gap-y-1 text-sm">
        <Link to="." search={here({ by: 'sale', known: 'false' })} resetScroll={false} className={ACTION}>
          Show {countOf(count, 'sale', 'sales')}
        </Link>
        <Link to="/imports/new" search={{ kind: 'skus' }} className={ACTION}>
          Import SKUs and costs
        </Link>
        {isAdmin && (
          <Link to="/costs" search={{ tab: 'fees' }} className={ACTION}>
            Marketplace fees
          </Link>
        )}
      </p>
    </Callout>
  );
}

/** In place of everything for a period without sales. */
export function NoSales(): React.JSX.Element {
  return (
    <EmptyNote>
      <p>No sales in these days. Sales of connected marketplaces appear here after the next sync.</p>
      <Link to="." search={{ period: '90' }} className={`mt-4 inline-block ${ACTION}`}>
        Show 90 days
      </Link>
    </EmptyNote>
  );
}

/** Skeletons of the four cards. */
export function ProfitFiguresSkeleton(): React.JSX.Element {
  return (
    <div className={GRID} role="status">
      <span className="sr-only">Loading the profit</span>
      {['a', 'b', 'c', 'd'].map((key) => (
        <MetricCardSkeleton key={key} />
      ))}
    </div>
  );
}
