import type { Import } from '#contract/imports.ts';
import { Card } from '#web/ui/card.tsx';
import { JobProgress } from '#web/ui/imports/job-progress.tsx';
import { KINDS } from '#web/ui/imports/kinds.ts';

/** While rows are written. It goes on without this page. */
export function ImportStep({ imported }: { imported: Import }): React.JSX.Element {
  return (
    <Card className="flex flex-col gap-3 md:p-6">
      <h2 className="text-lg font-semibold">Importing {KINDS[imported.kind].many}</h2>
      <p className="text-fg-muted">You can leave this page. The Jobs menu shows when the import is done.</p>
      <JobProgress jobId={imported.jobId} label="Importing" />
    </Card>
  );
}
