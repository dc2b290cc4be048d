import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import type { Job, JobState } from '#contract/jobs.ts';
import { isUnderWay } from '#web/lib/jobs.ts';
import { isJobInView } from '#web/lib/jobs-in-view.ts';
import { toast } from '#web/lib/use-toast.ts';

const ENDINGS = {
  done: 'Done',
  partly_done: 'Partly done',
  failed: 'Failed',
  cancelled: 'Canceled',
} as const satisfies Partial<Record<JobState, string>>;

/**
 * Shows one toast for each job that this page saw running and that has ended; screen readers announce it.
 * A job whose own page or dialog is open needs no toast: the page shows the outcome.
 * @param isSilent the user turned notifications off; the tray still shows the outcome
 */
export function useJobToasts(jobs: readonly Job[] | undefined, isSilent: boolean): void {
  const router = useRouter();
  const client = useQueryClient();
  const seen = useRef<ReadonlySet<string>>(new Set());
  useEffect(() => {
    if (jobs === undefined) return;
    for (const job of jobs) {
      const isInView =
        isJobInView(job.id) || (job.link !== null && router.state.location.pathname === pathOf(job.link));
      if (!seen.current.has(job.id) || isUnderWay(job)) continue;
      // Listings are updated by events of their own; this list is not.
      if (job.kind === 'import') void client.invalidateQueries({ queryKey: ['skus'] });
      if (!isInView && !isSilent) showEnding(job, openLink(job));
    }
    seen.current = new Set(jobs.filter(isUnderWay).map(({ id }) => id));
    function openLink(job: Job): (() => void) | null {
      const { link } = job;
      return link === null ? null : () => router.history.push(link);
    }
  }, [jobs, router, client, isSilent]);
}

function showEnding(job: Job, open: (() => void) | null): void {
  const ending = job.state === 'queued' || job.state === 'running' ? '' : ENDINGS[job.state];
  toast(
    `${ending}: ${job.title}`,
    job.summary ?? '',
    job.state === 'failed' ? 'destructive' : 'neutral',
    open === null ? null : { label: 'See report', run: open },
  );
}

function pathOf(link: string): string {
  return new URL(link, 'http://here.invalid').pathname;
}
