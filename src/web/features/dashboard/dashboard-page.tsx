import { useQuery } from '@tanstack/react-query';
import { RefreshCw } from 'lucide-react';
import { announce } from '#web/lib/announce.ts';
import { formatClock } from '#web/lib/format.ts';
import { forgetChanges } from '#web/lib/live-changes.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyNote } from '#web/ui/empty-note.tsx';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { QueryView } from '#web/ui/query-view.tsx';
import { ChangesNotice } from './changes-notice.tsx';
import { FirstSteps } from './first-steps.tsx';
import { MarketplaceSection } from './marketplace-section.tsx';
import { MetricCards, MetricSkeletons } from './metric-cards.tsx';
import { statsQuery } from './queries.ts';

/** Overview: five figures, then one card per marketplace. The figures are as old as they say until refreshed. */
export function DashboardPage(): React.JSX.Element {
  const stats = useQuery(statsQuery);
  const refresh = async (): Promise<void> => {
    const { isSuccess } = await stats.refetch();
    if (!isSuccess) return;
    forgetChanges();
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
              <MetricCards stats={data} />
              <MarketplaceSection marketplaces={data.byMarketplace} />
              {data.overall.totalListings === 0 && <FirstSteps />}
            </>
          )
        }
      </QueryView>
    </div>
  );
}
