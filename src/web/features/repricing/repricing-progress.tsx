import { Link } from '@tanstack/react-router';
import type { EngineStatus, Run } from '#contract/engine.ts';
import { classNames } from '#web/lib/class-names.ts';
import { countOf } from '#web/lib/format.ts';
import { formatUntil } from '#web/lib/moments.ts';
import { Button } from '#web/ui/button.tsx';
import { useNow } from '#web/ui/moment-text.tsx';
import { ProgressBar, progressText } from '#web/ui/progress-bar.tsx';
import { useRepriceNow } from './queries.ts';

type EngineProgressProps = { status: EngineStatus; className?: string };

/** The current run's progress, or the time of the next check, and a button to start a run now. */
export function EngineProgress({ status, className }: EngineProgressProps): React.JSX.Element {
  const repriceNow = useRepriceNow();
  const { run } = status;
  return (
    <div className={classNames('flex flex-wrap items-center gap-x-3 gap-y-2', className)}>
      {run === null ? (
        <NextCheck status={status} />
      ) : (
        <RunUnderWay run={run} pendingCount={status.pendingCount} />
      )}
      <Link to="/runs" className="rounded-sm py-1 text-link hover:underline">
        Runs
      </Link>
      <Button
        look="outline"
        onClick={() => repriceNow.mutate()}
        disabled={status.isHalted || run !== null}
        pending={repriceNow.isPending}
        pendingText="Starting..."
      >
        Reprice now
      </Button>
    </div>
  );
}

function NextCheck({ status }: { status: EngineStatus }): React.JSX.Element {
  const now = useNow();
  return (
    <span className="text-fg-muted tabular-nums">
      {status.pendingCount > 0 &&
        `${countOf(status.pendingCount, 'listing', 'listings')} queued for repricing. `}
      {nextCheckText(status, now)}
    </span>
  );
}

function nextCheckText(status: EngineStatus, now: number): string {
  if (status.isHalted) return 'No check while halted';
  if (status.nextCheckAt === null) return 'No check scheduled: the background worker is not running';
  const check = `Next check ${formatUntil(status.nextCheckAt, now)}`;
  return status.autoRepricing ? check : `${check}, automatic repricing is off`;
}

type RunUnderWayProps = { run: Run; pendingCount: EngineStatus['pendingCount'] };

function RunUnderWay({ run, pendingCount }: RunUnderWayProps): React.JSX.Element {
  const total = expected(run, pendingCount);
  return (
    <span className="flex min-w-0 items-center gap-2">
      <Link
        to="/runs/$id"
        params={{ id: run.id }}
        className="rounded-sm whitespace-nowrap text-link tabular-nums hover:underline"
      >
        Repricing {progressText(run.evaluated, total)}
      </Link>
      <span className="w-12 shrink-0">
        <ProgressBar label="Repricing" done={run.evaluated} total={total} />
      </span>
    </span>
  );
}

/** Includes listings that became due during the run; otherwise it would exceed 100%. */
function expected({ trigger, planned, evaluated }: Run, pendingCount: number): number | null {
  if (planned === null) return null;
  return Math.max(planned, evaluated + (trigger === 'data_change' ? pendingCount : 0));
}
