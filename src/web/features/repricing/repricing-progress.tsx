import { Link } from '@tanstack/react-router';
import type { EngineStatus, Run } from '#contract/engine.ts';
import { countOf } from '#web/lib/format.ts';
import { formatUntil } from '#web/lib/moments.ts';
import { Button } from '#web/ui/button.tsx';
import { useNow } from '#web/ui/moment-text.tsx';
import { ProgressBar, progressText } from '#web/ui/progress-bar.tsx';
import { useRepriceNow } from './queries.ts';

type RepriceNowProps = { status: EngineStatus; look: 'quiet' | 'outline' };

/** Starts a run of all listings at once. */
export function RepriceNowButton({ status, look }: RepriceNowProps): React.JSX.Element {
  const repriceNow = useRepriceNow();
  return (
    <Button
      look={look}
      onClick={() => repriceNow.mutate()}
      disabled={status.isHalted || status.run !== null}
      pending={repriceNow.isPending}
      pendingText="Starting..."
      className={look === 'quiet' ? 'text-fg' : ''}
    >
      Reprice now
    </Button>
  );
}

/** The current run's progress as a link to it, or the time of the next check. */
export function RunProgress(props: { status: EngineStatus; onFollow: () => void }): React.JSX.Element {
  const { status, onFollow } = props;
  const now = useNow();
  if (status.run !== null)
    return <RunUnderWay run={status.run} pendingCount={status.pendingCount} onFollow={onFollow} />;
  return (
    <span className="text-sm text-fg-muted">
      {status.pendingCount > 0 &&
        `${countOf(status.pendingCount, 'listing', 'listings')} queued for repricing. `}
      {checkText(status, now)}
    </span>
  );
}

/**
 * "Next check in 4 min", or how far the current run is.
 * @param now epoch milliseconds
 */
export function checkText(status: EngineStatus, now: number): string {
  const { run } = status;
  if (run !== null) return `Repricing ${progressText(run.evaluated, expected(run, status.pendingCount))}`;
  if (status.isHalted) return 'No check while halted';
  if (status.nextCheckAt === null) return 'No check scheduled: the background worker is not running';
  const check = `Next check ${formatUntil(status.nextCheckAt, now)}`;
  return status.autoRepricing ? check : `${check}, automatic repricing is off`;
}

type RunUnderWayProps = { run: Run; pendingCount: EngineStatus['pendingCount']; onFollow: () => void };

function RunUnderWay({ run, pendingCount, onFollow }: RunUnderWayProps): React.JSX.Element {
  const total = expected(run, pendingCount);
  return (
    <span className="flex min-w-0 items-center gap-2">
      <Link
        to="/runs/$id"
        params={{ id: run.id }}
        onClick={onFollow}
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
