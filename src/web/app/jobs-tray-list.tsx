import type { Job } from '#contract/jobs.ts';
import { countOf } from '#web/lib/format.ts';
import { JobsTrayItem } from './jobs-tray-item.tsx';

type JobsTrayListProps = {
  jobs: readonly Job[];
  /** Called when a link is followed. */
  onFollow: () => void;
};

/** The jobs in the tray, newest first. */
export function JobsTrayList({ jobs, onFollow }: JobsTrayListProps): React.JSX.Element {
  if (jobs.length === 0) {
    return (
      <p className="px-4 py-6 text-center text-fg-muted">
        No jobs yet. Imports, exports and bulk changes appear here while they run.
      </p>
    );
  }
  return (
    <ul aria-label={countOf(jobs.length, 'job', 'jobs')} className="divide-y">
      {jobs.map((job) => (
        <JobsTrayItem key={job.id} job={job} onFollow={onFollow} />
      ))}
    </ul>
  );
}
