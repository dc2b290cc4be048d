import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Download, Landmark } from 'lucide-react';
import { useListState } from '#web/lib/list-state.ts';
import { sessionQuery } from '#web/lib/session.ts';
import { buttonClasses } from '#web/ui/button.tsx';
import { Freshness } from '#web/ui/freshness.tsx';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { useComparison } from '#web/ui/profit/use-comparison.ts';
import { useToday } from '#web/ui/shop-days.ts';
import { useDelayed } from '#web/ui/use-delayed.ts';
import { PeriodBar } from './period-bar.tsx';
import { ProfitChart } from './profit-chart.tsx';
import { NoSales, ProfitFigures, ProfitSkeleton } from './profit-figures.tsx';
import { ProfitTabs } from './profit-tabs.tsx';
import { daysQuery, exportAddress, PROFIT_LIST, periodOf } from './queries.ts';

/** What sales earned: the sums of a period next to those of the period before, by day, marketplace, listing, SKU, rule and run. */
export function ProfitPage(): React.JSX.Element {
  const [state, change] = useListState(PROFIT_LIST);
  const today = useToday();
  const period = periodOf(state, today);
  const { marketplace } = state.filters;
  const days = useQuery(daysQuery(period, marketplace));
  const comparison = useComparison(period, marketplace, today);
  // All parts that set the height of the page appear together, so that nothing moves when one is slower.
  const phase = useDelayed(days.isPending || comparison === undefined);
  const client = useQueryClient();
  const isAdmin = useQuery(sessionQuery).data?.role === 'admin';
  return (
    <div className="flex flex-col gap-3">
      <PageHeading title="Profit" subtitle="What your sales earned after fees, costs and shipping">
        <Freshness
          updatedAt={days.dataUpdatedAt}
          refreshing={days.isRefetching}
          onRefresh={() => client.invalidateQueries({ queryKey: ['profit'] })}
        />
        <span className="flex gap-1 md:gap-2">
          {isAdmin && (
            <Link to="/money" className={buttonClasses({ look: 'outline', phone: 'icon' })}>
              <Landmark aria-hidden />
              <span>Money</span>
            </Link>
          )}
          <a
            href={exportAddress(state, period)}
            download
            className={buttonClasses({ look: 'outline', phone: 'icon' })}
          >
            <Download aria-hidden />
            <span>Export sales</span>
          </a>
        </span>
      </PageHeading>
      <PeriodBar state={state} change={change} period={period} name={period.name} />
      {days.error !== null && (
        <LoadFailed
          title="Failed to load the profit"
          error={days.error}
          onRetry={() => void days.refetch()}
          retrying={days.isFetching}
        />
      )}
      {phase === 'placeholder' && <ProfitSkeleton />}
      {phase === 'ready' && days.data !== undefined && (
        <div aria-busy={days.isFetching} className="flex flex-col gap-3">
          {days.data.sum.sales === 0 && days.data.sum.profit === null ? (
            <NoSales />
          ) : (
            <>
              <ProfitFigures sum={days.data.sum} comparison={comparison ?? null} period={period.name} />
              <ProfitChart profit={days.data} period={period} marketplace={marketplace} />
              <ProfitTabs state={state} change={change} period={period} />
            </>
          )}
        </div>
      )}
    </div>
  );
}
