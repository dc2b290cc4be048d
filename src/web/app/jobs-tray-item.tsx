import { Link } from '@tanstack/react-router';
import type { Job } from '#contract/jobs.ts';
import { formatCount } from '#web/lib/format.ts';
import { isUnderWay, useCancelJob } from '#web/lib/jobs.ts';
import { Button } from '#web/ui/button.tsx';
import { JobBadge } from '#web/ui/job-badge.tsx';
import { MomentText } from '#web/ui/moment-text.tsx';
import { ProgressBar, progressText } from '#web/ui/progress-bar.tsx';

type JobsTrayItemProps = { job: Job; onFollow: () => void };

/** One job: what it is, how far, what became of it, and where its report is. */
export function JobsTrayItem({ job, onFollow }: JobsTrayItemProps): React.JSX.Element {
  const cancel = useCancelJob();
  return (
    <li className="flex flex-col gap-1.5 px-4 py-3">
      <div className="flex items-start justify-between gap-3">
        <p className="min-w-0 font-medium break-words">{job.title}</p>
        <span className="shrink-0">
          <JobBadge state={job.state} />
        </span>
      </div>
      {job.state === 'running' && <ProgressBar label={job.title} done={job.done} total={job.total} />}
      <p className="text-sm text-fg-muted tabular-nums">{progressWords(job)}</p>
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 text-sm text-fg-muted">
        <span>
          {job.createdBy}, <MomentText iso={job.endedAt ?? job.createdAt} />
        </span>
        <span className="flex items-center gap-3">
          {job.link !== null && (
            <Link to={job.link} onClick={onFollow} className="rounded-sm py-1 text-link hover:underline">
              {isUnderWay(job) ? 'Open' : 'See report'}
            </Link>
          )}
          {isUnderWay(job) && (
            <Button
              look="outline"
              aria-label={`Cancel ${job.title}`}
              onClick={() => cancel.mutate(job)}
              pending={cancel.isPending}
              pendingText="Cancelling..."
            >
              Cancel
            </Button>
          )}
        </span>
      </div>
    </li>
  );
}

function progressWords(job: Job): string {
  if (job.summary !== null) return job.summary;
  if (job.state === 'queued') return 'Waits for its turn';
  const failed = job.failed === 0 ? '' : `, ${formatCount(job.failed)} failed`;
  return `${progressText(job.done, job.total)}${failed}`;
}
