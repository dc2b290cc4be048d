import { ProgressBar, progressText } from '#web/ui/progress-bar.tsx';
import type { PlanProgress } from './plan-query.ts';

/** Progress of the preview over all listings. */
export function PlanProgressLine({ progress }: { progress: PlanProgress }): React.JSX.Element {
  return (
    <div>
      <p className="mb-1 text-fg-muted tabular-nums">
        {progressText(progress.evaluated, progress.of)} listings checked
      </p>
      <ProgressBar label="Calculating changes" done={progress.evaluated} total={progress.of} />
    </div>
  );
}
