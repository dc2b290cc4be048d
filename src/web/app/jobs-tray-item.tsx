import { Link } from '@tanstack/react-router';
import type { Job } from '#contract/jobs.ts';
import { formatCount } from '#web/lib/format.ts';
import { isUnderWay, useCancelJob } from '#web/lib/jobs.ts';
import { Button } from '#web/ui/button.tsx';
import { JobBadge } from '#web/ui/job-badge.tsx';
import { MomentText, useNow } from '#web/ui/moment-text.tsx';
import { ProgressBar, progressText } from '#web/ui/progress-bar.tsx';

type JobsTrayItemProps = { job: Job; onFollow: () => void };

/** One job: title, progress, result, and a link to its report. */
export function JobsTrayItem({ job, onFollow }: JobsTrayItemProps): React.JSX.Element {
  const cancel = useCancelJob();
  const now = useNow();
  return (
    <li className="flex flex-col gap-1.5 px-4 py-3">
      <div className="flex items-start justify-between gap-3">
        <p className="min-w-0 font-medium break-words">{job.title}</p>
        <span className="shrink-0">
          <JobBadge state={job.state} />
        </span>
      </div>
      {job.state === 'running' && <ProgressBar label={job.title} done={job.done} total={job.total} />}
      <p className="text-sm text-fg-muted tabular-nums">{jobProgressText(job, now)}</p>
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 text-sm text-fg-muted">
        <span>
          {job.createdBy}, <MomentText iso={job.endedAt ?? job.createdAt} />
        </span>
        <span className="flex flex-wrap items-center gap-x-3">
          {job.link !== null && (
            <Link to={job.link} onClick={onFollow} className="rounded-sm py-1 text-link hover:underline">
              {isUnderWay(job) ? 'Open' : 'See report'}
            </Link>
          )}
          {job.failed > 0 && job.kind !== 'import' && !isUnderWay(job) && (
            <a
              href={`/api/jobs/${job.id}/refusals.csv`}
              download
              className="rounded-sm py-1 text-link hover:underline"
            >
              Download skipped rows
            </a>
          )}
          {isUnderWay(job) && (
            <Button
              look="outline"
              aria-label={`Cancel ${job.title}`}
              onClick={() => cancel.mutate(job)}
              pending={cancel.isPending}
              pendingText="Canceling..."
            >
              Cancel
            </Button>
          )}
        </span>
      </div>
    </li>
  );
}

/** @param now epoch milliseconds */
function jobProgressText(job: Job, now: number): string {
  if (job.summary !== null) return job.summary;
  if (job.state === 'queued') return 'Queued';
  const failed = job.failed === 0 ? '' : `, ${formatCount(job.failed)} failed`;
  return `${progressText(job.done, job.total)}${failed}${rateText(job, now)}`;
}

/** ", about 320 a second" since the job started; empty during the first second. */
function rateText({ startedAt, done }: Job, now: number): string {
  if (startedAt === null) return '';
  const seconds = (now - Date.parse(startedAt)) / 1_000;
  const rate = Math.round(done / seconds);
  return seconds < 1 || rate < 1 ? '' : `, about ${formatCount(rate)} a second`;
}
