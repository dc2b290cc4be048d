import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { JobReport } from '#contract/jobs.ts';
import { ApiError } from '#web/lib/api.ts';
import { isUnderWay, useCancelJob } from '#web/lib/jobs.ts';
import { Button, buttonClasses } from '#web/ui/button.tsx';
import { EmptyNote } from '#web/ui/empty-note.tsx';
import { JobBadge } from '#web/ui/job-badge.tsx';
import { ListSkeleton } from '#web/ui/list-skeleton.tsx';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { MomentText } from '#web/ui/moment-text.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { ProgressBar, progressText } from '#web/ui/progress-bar.tsx';
import { QueryView } from '#web/ui/query-view.tsx';
import { jobQuery } from './queries.ts';
import { Refusals } from './refusals.tsx';

/** The report of one job: progress, result, the run of its prices, and every skipped listing. */
export function JobPage(): React.JSX.Element {
  const { id = '' }: { id?: string } = useParams({ strict: false });
  const job = useQuery(jobQuery(id));
  const isMissing = job.error instanceof ApiError && job.error.status === 404;
  return (
    <div className="flex flex-col gap-3">
      <PageHeading title={job.data?.title ?? `Job ${id}`} />
      <QueryView
        query={job}
        loading={<ListSkeleton rows={3} inCard />}
        failed={(error, retry) =>
          isMissing ? (
            <EmptyNote>Job {id} was not found.</EmptyNote>
          ) : (
            <LoadFailed
              title="Failed to load the job"
              error={error}
              onRetry={retry}
              retrying={job.isFetching}
            />
          )
        }
      >
        {(data) => (
          <>
            <Facts job={data} />
            {data.failed > 0 && <Refusals job={data} />}
          </>
        )}
      </QueryView>
    </div>
  );
}

function Facts({ job }: { job: JobReport }): React.JSX.Element {
  const cancel = useCancelJob();
  return (
    <div className="flex flex-col items-start gap-3">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <JobBadge state={job.state} />
        <span className="text-fg-muted">
          {job.createdBy}, <MomentText iso={job.endedAt ?? job.createdAt} />
        </span>
      </p>
      {job.state === 'running' && (
        <div className="flex w-full max-w-xl flex-col gap-1">
          <ProgressBar label={job.title} done={job.done} total={job.total} />
          <p className="text-sm text-fg-muted tabular-nums">{progressText(job.done, job.total)}</p>
        </div>
      )}
      {job.state === 'queued' && <p>Queued.</p>}
      {job.summary !== null && <p className="max-w-[70ch]">{job.summary}</p>}
      <div className="flex flex-wrap gap-2">
        {job.runId !== null && (
          <Link to="/runs/$id" params={{ id: job.runId }} className={buttonClasses({ look: 'outline' })}>
            Open run {job.runId}
          </Link>
        )}
        {isUnderWay(job) && (
          <Button
            look="outline"
            onClick={() => cancel.mutate(job)}
            pending={cancel.isPending}
            pendingText="Canceling..."
          >
            Cancel job
          </Button>
        )}
      </div>
    </div>
  );
}
