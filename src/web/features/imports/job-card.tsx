import { Card } from '#web/ui/card.tsx';
import { JobProgress } from '#web/ui/imports/job-progress.tsx';

type JobCardProps = { title: string; step: 'check' | 'import'; label: string; jobId: string | null };

/** While a file is checked or imported. It goes on without this page. */
export function JobCard({ title, step, label, jobId }: JobCardProps): React.JSX.Element {
  return (
    <Card className="flex flex-col gap-3">
      <h2 className="text-md font-semibold">{title}</h2>
      <p className="text-fg-muted">You can leave this page. The Jobs menu shows when the {step} is done.</p>
      <JobProgress jobId={jobId} label={label} />
    </Card>
  );
}
