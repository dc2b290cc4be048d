import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { JobState } from '#contract/jobs.ts';
import type { BulkOutcome } from '#contract/listings.ts';
import { countOf, formatCount } from '#web/lib/format.ts';
import { isUnderWay, jobsQuery } from '#web/lib/jobs.ts';
import { Callout } from './callout.tsx';
import { ProgressBar, progressText } from './progress-bar.tsx';

/** The result of undoing a run, and the skipped listings with reasons; for a long one, its job's progress. */
export function UndoneCallout({ outcome }: { outcome: BulkOutcome }): React.JSX.Element {
  const { done, refused, refusedCount, jobId } = outcome;
  if (jobId !== null) return <JobCallout jobId={jobId} />;
  return (
    <Callout tone={refusedCount === 0 ? 'success' : 'info'} role="status" title={titleOf(outcome)}>
      {done > 0 && (
        <p className="text-fg-muted">
          {done === 1 ? 'Its listing is' : 'Their listings are'} on hold now. <RunsLink />
        </p>
      )}
      {refusedCount > 0 && (
        <ul aria-label="Skipped listings" className="mt-1 flex flex-col divide-y">
          {refused.map(({ listingId, sku, message }) => (
            <li key={listingId} className="py-1.5">
              <span className="font-mono text-sm font-medium">{sku}</span>{' '}
              <span className="text-fg-muted">{message}</span>
            </li>
          ))}
        </ul>
      )}
      {refusedCount > refused.length && (
        <p className="text-fg-muted">And {countOf(refusedCount - refused.length, 'other', 'others')}.</p>
      )}
    </Callout>
  );
}

/** "36 prices restored, 1 skipped" */
function titleOf({ done, refusedCount }: BulkOutcome): string {
  const went = done === 0 ? 'No price was restored' : `${countOf(done, 'price', 'prices')} restored`;
  if (refusedCount === 0) return went;
  return `${went}, ${formatCount(refusedCount)} skipped`;
}

const END_TEXT: Partial<Record<JobState, string>> = {
  done: 'All prices restored',
  partly_done: 'Some prices were not restored',
  failed: 'The undo failed before it finished',
  cancelled: 'The undo was canceled before it finished',
};
const END_TONES: Partial<Record<JobState, 'success' | 'danger'>> = { done: 'success', failed: 'danger' };

function JobCallout({ jobId }: { jobId: string }): React.JSX.Element {
  const job = useQuery(jobsQuery).data?.find(({ id }) => id === jobId);
  const isOver = job !== undefined && !isUnderWay(job);
  return (
    <Callout
      tone={(isOver && END_TONES[job.state]) || 'info'}
      // The progress must not be announced at every step; the tray announces its end.
      {...(job === undefined ? { role: 'status' as const } : {})}
      title={(isOver && END_TEXT[job.state]) || 'Restoring prices in the background'}
    >
      {job?.state === 'running' && (
        <div className="my-2 flex max-w-xl flex-col gap-1">
          <ProgressBar label={job.title} done={job.done} total={job.total} />
          <p className="text-sm text-fg-muted tabular-nums">{progressText(job.done, job.total)}</p>
        </div>
      )}
      <p className="text-fg-muted">
        {isOver && job.summary !== null
          ? job.summary
          : 'You can leave this page. The Jobs menu shows the progress and what was skipped.'}{' '}
        <Link to="/jobs/$id" params={{ id: jobId }} className="rounded-sm text-link underline">
          See the full report
        </Link>
      </p>
    </Callout>
  );
}

function RunsLink(): React.JSX.Element {
  return (
    <Link to="/runs" className="rounded-sm text-link underline">
      See the undo under Runs
    </Link>
  );
}
