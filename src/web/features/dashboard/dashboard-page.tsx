import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Attention } from '#contract/attention.ts';
import type { Today } from '#contract/charts.ts';
import type { Coverage } from '#contract/setup.ts';
import type { Stats } from '#contract/stats.ts';
import { announce } from '#web/lib/announce.ts';
import { catchUp } from '#web/lib/live-changes.ts';
import { ChangesCallout } from '#web/ui/changes-callout.tsx';
import { EmptyNote } from '#web/ui/empty-note.tsx';
import { Freshness } from '#web/ui/freshness.tsx';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { useDelayed } from '#web/ui/use-delayed.ts';
import { AttentionSection } from './attention-section.tsx';
import { ChartsSection } from './charts-section.tsx';
import { DashboardSkeleton } from './dashboard-skeleton.tsx';
import { DemoCallout } from './demo-callout.tsx';
import { MAIN_GRID } from './main-grid.ts';
import { MarketplaceSection } from './marketplace-section.tsx';
import { MetricCards } from './metric-cards.tsx';
import { MoneySection } from './money-section.tsx';
import { PeriodMenu } from './period-menu.tsx';
import { ProfitLine } from './profit-line.tsx';
import {
  AROUND_STATS,
  attentionQuery,
  coverageQuery,
  setupQuery,
  statsQuery,
  todayQuery,
} from './queries.ts';
import { SetupCard } from './setup-card.tsx';
import { TodayCard } from './today-card.tsx';
import { hasMoney, hasRepricing, type Money, useMoney } from './use-money.ts';

/**
 * Overview: money, buy box and price changes, what needs attention, the catalog, what repricing did today, charts, and one card
 * per marketplace. The figures do not change until refreshed, and show their age.
 */
export function DashboardPage(): React.JSX.Element {
  const stats = useQuery(statsQuery);
  // All parts that set the height of the page appear together, so that nothing moves when one is slower.
  const [setup, attention, coverage] = [
    useQuery(setupQuery),
    useQuery(attentionQuery),
    useQuery(coverageQuery),
  ];
  const today = useQuery(todayQuery());
  const money = useMoney();
  const phase = useDelayed(
    [stats, setup, attention, coverage, today, money].some(({ isPending }) => isPending),
  );
  const client = useQueryClient();
  const refresh = async (): Promise<void> => {
    const [{ isSuccess }] = await Promise.all([
      stats.refetch(),
      ...AROUND_STATS.map((queryKey) => client.invalidateQueries({ queryKey })),
    ]);
    if (!isSuccess) return;
    await catchUp(client, 'stats');
    announce('Dashboard updated');
  };
  return (
    <div className="flex flex-col gap-3" aria-busy={stats.isFetching}>
      <PageHeading title="Dashboard" subtitle="Overview of your multi-marketplace repricing performance">
        <Freshness updatedAt={stats.dataUpdatedAt} refreshing={stats.isRefetching} onRefresh={refresh} />
        {hasPeriod(money) && <PeriodMenu money={money} />}
      </PageHeading>
      <ChangesCallout onRefresh={refresh} />
      {phase === 'placeholder' && <DashboardSkeleton />}
      {phase === 'ready' && (
        <>
          {setup.data?.isDemo === true && <DemoCallout />}
          {setup.data !== undefined && (
            <SetupCard setup={setup.data} hasListings={(stats.data?.byMarketplace.length ?? 0) > 0} />
          )}
          {stats.error !== null && (
            <LoadFailed
              title={
                stats.data === undefined ? 'Failed to load the figures' : 'Failed to refresh the figures'
              }
              error={stats.error}
              onRetry={() => void stats.refetch()}
              retrying={stats.isFetching}
            />
          )}
          {stats.data === null && <EmptyNote>No data available</EmptyNote>}
          {stats.data != null && (
            <Overview
              stats={stats.data}
              attention={attention}
              coverage={coverage}
              today={today}
              money={money}
            />
          )}
        </>
      )}
    </div>
  );
}

/** Whether there is a period to choose; a failure is shown in its place. */
function hasPeriod(money: Money): boolean {
  const hasFailed = [money.query, money.repricing].some(({ isError, data }) => isError && data === undefined);
  return hasFailed || hasMoney(money) || hasRepricing(money);
}

type OverviewProps = {
  stats: Stats;
  attention: UseQueryResult<Attention>;
  coverage: UseQueryResult<Coverage>;
  today: UseQueryResult<Today>;
  money: Money;
};

function Overview({ stats, money, attention, coverage, today }: OverviewProps): React.JSX.Element {
  const hasListings = stats.overall.totalListings > 0;
  const urgent = (
    <AttentionSection
      attention={attention}
      coverage={coverage.data}
      below={money.below}
      period={money.name}
    />
  );
  return (
    <>
      {hasListings && (
        <>
          {hasPeriod(money) && <MoneySection money={money} />}
          {hasMoney(money) ? (
            <div className={MAIN_GRID}>
              <ProfitLine money={money} />
              {urgent}
            </div>
          ) : (
            urgent
          )}
        </>
      )}
      <MetricCards stats={stats} />
      {hasListings && <TodayCard query={today} />}
      {hasListings && <ChartsSection money={money} coverage={coverage} />}
      <MarketplaceSection marketplaces={stats.byMarketplace} />
    </>
  );
}
