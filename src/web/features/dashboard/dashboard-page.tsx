import { useQuery, useQueryClient } from '@tanstack/react-query';
import { RefreshCw } from 'lucide-react';
import { announce } from '#web/lib/announce.ts';
import { formatClock } from '#web/lib/format.ts';
import { catchUp } from '#web/lib/live-changes.ts';
import { Button } from '#web/ui/button.tsx';
import { ChangesNotice } from '#web/ui/changes-notice.tsx';
import { EmptyNote } from '#web/ui/empty-note.tsx';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { QueryView } from '#web/ui/query-view.tsx';
import { CoverageCard } from './coverage-card.tsx';
import { DemoNotice } from './demo-notice.tsx';
import { MarketplaceSection } from './marketplace-section.tsx';
import { MetricCards, MetricSkeletons } from './metric-cards.tsx';
import { MoneyCard } from './money-card.tsx';
import { statsQuery } from './queries.ts';
import { SetupCard } from './setup-card.tsx';

/** Overview: five figures, then one card per marketplace. The figures are as old as they say until refreshed. */
export function DashboardPage(): React.JSX.Element {
  const stats = useQuery(statsQuery);
  const client = useQueryClient();
  const refresh = async (): Promise<void> => {
    const { isSuccess } = await stats.refetch();
    if (!isSuccess) return;
    await catchUp(client, 'stats');
    announce('Dashboard updated');
  };
  return (
    <div className="flex flex-col gap-6">
      <PageHeading title="Dashboard" subtitle="Overview of your multi-marketplace repricing performance">
        {stats.data !== undefined && (
          <span className="text-sm text-fg-muted tabular-nums">
            Updated {formatClock(stats.dataUpdatedAt)}
          </span>
        )}
        <Button
          look="outline"
          onClick={refresh}
          disabled={stats.data === undefined}
          pending={stats.isRefetching && stats.data !== undefined}
          pendingText="Refreshing..."
        >
          <RefreshCw aria-hidden />
          Refresh
        </Button>
      </PageHeading>
      <ChangesNotice onRefresh={refresh} />
      <DemoNotice />
      <SetupCard />
      <QueryView
        query={stats}
        loading={<MetricSkeletons />}
        failed={(error, retry) => (
          <LoadFailed
            title={stats.data === undefined ? 'Failed to load the figures' : 'Failed to refresh the figures'}
            error={error}
            onRetry={retry}
            retrying={stats.isFetching}
          />
        )}
      >
        {(data) =>
          data === null ? (
            <EmptyNote>No data available</EmptyNote>
          ) : (
            <>
              {data.overall.totalListings > 0 && (
                <div className="grid gap-4 lg:grid-cols-2">
                  <CoverageCard />
                  <MoneyCard />
                </div>
              )}
              <MetricCards stats={data} />
              <MarketplaceSection marketplaces={data.byMarketplace} />
            </>
          )
        }
      </QueryView>
    </div>
  );
}
