import { CircleAlert, CircleCheck, Clock, Info, Pause } from 'lucide-react';
import { JOB_STATES } from '#contract/jobs.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Callout } from '#web/ui/callout.tsx';
import { EmptyNote } from '#web/ui/empty-note.tsx';
import { JobBadge } from '#web/ui/job-badge.tsx';
import { ListSkeleton } from '#web/ui/list-skeleton.tsx';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { ProgressBar } from '#web/ui/progress-bar.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { PageSpinner, Spinner } from '#web/ui/spinner.tsx';
import { StatusPage } from '#web/ui/status-page.tsx';
import { Sample, SampleGroup } from './sample.tsx';

/** What says how something is: badges, callouts, loading, empty and failed. */
export function StateSamples(): React.JSX.Element {
  return (
    <SampleGroup name="States">
      <Sample name="Badge">
        <Badge tone="success" icon={CircleCheck}>
          Active
        </Badge>
        <Badge tone="neutral" icon={Pause}>
          Paused
        </Badge>
        <Badge tone="warning" icon={Clock}>
          Pending
        </Badge>
        <Badge tone="danger" icon={CircleAlert}>
          Sync failed
        </Badge>
        <Badge tone="info" icon={Info}>
          Syncing
        </Badge>
      </Sample>
      <Sample name="JobBadge">
        {JOB_STATES.map((state) => (
          <JobBadge key={state} state={state} />
        ))}
      </Sample>
      <Sample name="Callout">
        {(['info', 'success', 'danger'] as const).map((tone) => (
          <Callout key={tone} tone={tone} title={`A callout of tone ${tone}`} className="w-full">
            <p className="text-fg-muted">What happened, why, and what to do.</p>
          </Callout>
        ))}
      </Sample>
      <Sample name="LoadFailed">
        <LoadFailed
          title="Failed to load the figures"
          error={new Error('The database is away.')}
          onRetry={() => undefined}
          retrying={false}
        />
      </Sample>
      <Sample name="EmptyNote">
        <EmptyNote>No imports yet. Start with SKUs and costs.</EmptyNote>
      </Sample>
      <Sample name="ProgressBar">
        <ProgressBar label="Import" done={1240} total={5000} />
        <ProgressBar label="Export" done={120} total={null} />
      </Sample>
      <Sample name="Skeleton">
        <Skeleton className="h-3 w-40" />
      </Sample>
      <Sample name="ListSkeleton">
        <div className="w-72">
          <ListSkeleton rows={3} />
        </div>
        <div className="w-72">
          <ListSkeleton of="fields" rows={2} inCard />
        </div>
      </Sample>
      <Sample name="Spinner">
        <Spinner />
        <PageSpinner label="Loading the page" />
      </Sample>
      <Sample name="StatusPage">
        <StatusPage icon={CircleAlert}>
          <p>This listing was removed.</p>
        </StatusPage>
      </Sample>
    </SampleGroup>
  );
}
