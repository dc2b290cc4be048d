import { ProgressBar, progressText } from '#web/ui/progress-bar.tsx';
import type { PlanProgress } from './plan-query.ts';

/** How far the look at all listings is. */
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
