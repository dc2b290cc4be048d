import { useQuery } from '@tanstack/react-query';
import { isUnderWay, jobsQuery, useCancelJob } from '#web/lib/jobs.ts';
import { Button } from '#web/ui/button.tsx';
import { ProgressBar, progressText } from '#web/ui/progress-bar.tsx';

type JobProgressProps = { jobId: string | null; label: string };

/** How far the job of this import is, and the way to stop it. */
export function JobProgress({ jobId, label }: JobProgressProps): React.JSX.Element {
  const jobs = useQuery(jobsQuery);
  const cancel = useCancelJob();
  const job = jobs.data?.find(({ id }) => id === jobId);
  return (
    <div className="flex flex-col gap-2">
      <ProgressBar label={label} done={job?.done ?? 0} total={job?.total ?? null} />
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p className="text-fg-muted tabular-nums">
          {job === undefined || job.state === 'queued'
            ? 'Queued'
            : `${progressText(job.done, job.total)} rows`}
        </p>
        {job !== undefined && isUnderWay(job) && (
          <Button
            look="outline"
            onClick={() => cancel.mutate(job)}
            pending={cancel.isPending}
            pendingText="Canceling..."
          >
            Cancel
          </Button>
        )}
      </div>
    </div>
  );
}
