import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ComponentProps } from 'react';
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
import { MarketplaceSection } from './marketplace-section.tsx';
import { MetricCards } from './metric-cards.tsx';
import { MoneySection, useMoney } from './money-section.tsx';
import { AROUND_STATS, attentionQuery, coverageQuery, setupQuery, statsQuery } from './queries.ts';
import { SetupCard } from './setup-card.tsx';

/**
 * Overview: five figures, what needs attention, two charts, then one card per marketplace. The figures do not change
 * until refreshed, and show their age.
 */
export function DashboardPage(): React.JSX.Element {
  const stats = useQuery(statsQuery);
  // All parts that set the height of the page appear together, so that nothing moves when one is slower.
  const [setup, attention, coverage] = [
    useQuery(setupQuery),
    useQuery(attentionQuery),
    useQuery(coverageQuery),
  ];
  const money = useMoney();
  const phase = useDelayed([stats, setup, attention, coverage, money].some(({ isPending }) => isPending));
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
    <div className="flex flex-col gap-6" aria-busy={stats.isFetching}>
      <PageHeading title="Dashboard" subtitle="Overview of your multi-marketplace repricing performance">
        <Freshness updatedAt={stats.dataUpdatedAt} refreshing={stats.isRefetching} onRefresh={refresh} />
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
            <Overview stats={stats.data} attention={attention} coverage={coverage} money={money} />
          )}
        </>
      )}
    </div>
  );
}

type OverviewProps = ComponentProps<typeof AttentionSection> &
  ComponentProps<typeof MoneySection> & { stats: Stats };

function Overview({ stats, money, ...urgent }: OverviewProps): React.JSX.Element {
  return (
    <>
      <MetricCards stats={stats} />
      {stats.overall.totalListings > 0 && (
        <>
          <AttentionSection {...urgent} />
          <MoneySection money={money} />
          <ChartsSection />
        </>
      )}
      <MarketplaceSection marketplaces={stats.byMarketplace} />
    </>
  );
}
