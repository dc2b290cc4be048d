import { Link } from '@tanstack/react-router';
import { OctagonX } from 'lucide-react';
import type { EngineStatus } from '#contract/engine.ts';
import { errorText } from '#web/lib/api.ts';
import { countOf } from '#web/lib/format.ts';
import { isDeclined } from '#web/lib/step-up.ts';
import { useUrlParams } from '#web/lib/url-params.ts';
import { toast } from '#web/lib/use-toast.ts';
import { Button } from '#web/ui/button.tsx';
import { MomentText } from '#web/ui/moment-text.tsx';
import { liveMarketplaces } from './mode-badge.tsx';
import { useResume } from './queries.ts';

type HaltedBarProps = { status: EngineStatus; isAdmin: boolean };

/** Shown on every page while repricing is halted: since when, by whom, why, and how to resume. */
export function HaltedBar({ status, isAdmin }: HaltedBarProps): React.JSX.Element {
  const { set } = useUrlParams();
  const resume = useResume();
  // Without a live marketplace no price changes automatically: there is no preview.
  const go = (): void => {
    if (liveMarketplaces(status).length > 0) {
      set({ resume: 'plan' });
      return;
    }
    resume.mutate(null, {
      onSuccess: () => toast('Repricing resumed', 'New prices are recommended again.'),
      onError: (error) => {
        if (!isDeclined(error)) toast('Could not resume repricing', errorText(error), 'destructive');
      },
    });
  };
  return (
    <div
      role="status"
      className="flex flex-wrap items-center gap-x-4 gap-y-2 bg-danger px-4 py-2 text-danger-fg"
    >
      <OctagonX aria-hidden className="size-5 shrink-0" />
      <p className="min-w-0 flex-1 basis-60">
        <strong className="font-semibold">Halted</strong>
        {status.haltedBy !== null && ` by ${status.haltedBy}`}
        {status.haltedAt !== null && (
          <>
            , <MomentText iso={status.haltedAt} />
          </>
        )}
        . No new prices are sent.
        <InProgress count={status.inProgressCount} />
        {status.haltReason !== null && ` Reason: ${status.haltReason}`}
        {!isAdmin && ' Only an administrator can resume.'}
      </p>
      {isAdmin && (
        <Button look="outline" onClick={go} pending={resume.isPending} pendingText="Resuming...">
          Resume repricing
        </Button>
      )}
    </div>
  );
}

/** Prices sent before the halt that have not arrived yet. */
function InProgress({ count }: { count: number }): React.JSX.Element | null {
  if (count === 0) return null;
  const were = countOf(count, 'price was', 'prices were');
  return (
    <>
      {' '}
      <Link to="/listings" search={{ state: 'in_progress' }} className="underline underline-offset-2">
        {were} already on {count === 1 ? 'its' : 'their'} way
      </Link>{' '}
      and may still go live.
    </>
  );
}
