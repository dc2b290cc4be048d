import { Link } from '@tanstack/react-router';
import { Ban, CircleAlert, CircleCheck, Clock, type LucideIcon, Play, TriangleAlert } from 'lucide-react';
import type { Job, JobState } from '#contract/jobs.ts';
import { formatCount } from '#web/lib/format.ts';
import { isUnderWay, useCancelJob } from '#web/lib/jobs.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { MomentText } from '#web/ui/moment-text.tsx';
import { ProgressBar, progressText } from '#web/ui/progress-bar.tsx';

type Face = { text: string; tone: 'neutral' | 'success' | 'warning' | 'danger' | 'info'; icon: LucideIcon };

const FACES = {
  queued: { text: 'Queued', tone: 'neutral', icon: Clock },
  running: { text: 'Running', tone: 'info', icon: Play },
  done: { text: 'Done', tone: 'success', icon: CircleCheck },
  partly_done: { text: 'Partly done', tone: 'warning', icon: TriangleAlert },
  failed: { text: 'Failed', tone: 'danger', icon: CircleAlert },
  cancelled: { text: 'Cancelled', tone: 'neutral', icon: Ban },
} as const satisfies Record<JobState, Face>;

type JobsTrayItemProps = { job: Job; onFollow: () => void };

/** One job: what it is, how far, what became of it, and where its report is. */
export function JobsTrayItem({ job, onFollow }: JobsTrayItemProps): React.JSX.Element {
  const cancel = useCancelJob();
  const { text, tone, icon } = FACES[job.state];
  return (
    <li className="flex flex-col gap-1.5 px-4 py-3">
      <div className="flex items-start justify-between gap-3">
        <p className="min-w-0 font-medium break-words">{job.title}</p>
        <span className="shrink-0">
          <Badge tone={tone} icon={icon}>
            {text}
          </Badge>
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
