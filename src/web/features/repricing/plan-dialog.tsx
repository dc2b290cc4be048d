import type { UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import type { RunPreview } from '#contract/run-preview.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import { ApiError, errorText } from '#web/lib/api.ts';
import { isDeclined } from '#web/lib/step-up.ts';
import { Button } from '#web/ui/button.tsx';
import { Callout } from '#web/ui/callout.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { ListSkeleton } from '#web/ui/list-skeleton.tsx';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { QueryView } from '#web/ui/query-view.tsx';
import { type LoadingPhase, useDelayed } from '#web/ui/use-delayed.ts';
import { PlanProgressLine } from './plan-progress-line.tsx';
import { type PlanProgress, usePlan } from './plan-query.ts';
import { PlanView } from './plan-view.tsx';

type PlanDialogProps = {
  title: string;
  description: string;
  /** The cancel button. */
  stay: string;
  /** The confirm button: verb and noun with the count. */
  verb: (plan: RunPreview) => string;
  /** Its text while pending. */
  pendingText: string;
  /** Title of an error. */
  failed: string;
  /** The marketplaces of the preview, besides the live ones. */
  marketplaces: readonly Marketplace[];
  /** A button back to their selection. */
  back?: React.ReactNode;
  /** There are no other marketplaces. Otherwise the counts include those, and say so. */
  isWholeShop: boolean;
  /** Confirms the preview that was shown. */
  act: (plan: RunPreview) => Promise<unknown>;
  onDone: () => void;
  onClose: () => void;
};

/**
 * Previews the next run before it is confirmed. If the preview has changed by then, the server
 * rejects it, and the new one is shown for another confirmation.
 */
export function PlanDialog(props: PlanDialogProps): React.JSX.Element {
  const {
    title,
    description,
    stay,
    verb,
    pendingText,
    failed,
    marketplaces,
    back,
    isWholeShop,
    act,
    onDone,
    onClose,
  } = props;
  const { plan, progress } = usePlan(marketplaces);
  const [error, setError] = useState<unknown>(null);
  const [isActing, setActing] = useState(false);
  // The button appears with the preview: nothing can be confirmed unseen.
  const phase = useDelayed(plan.isPending);
  const isShown = phase === 'ready' && plan.data !== undefined;
  const confirm = async (shown: RunPreview): Promise<void> => {
    setActing(true);
    setError(null);
    try {
      await act(shown);
      onDone();
    } catch (refusal) {
      if (!isDeclined(refusal)) setError(refusal);
      if (refusal instanceof ApiError && refusal.status === 409) await plan.refetch();
    }
    setActing(false);
  };
  return (
    <Dialog
      open
      onClose={onClose}
      size="large"
      title={title}
      description={description}
      footer={
        <>
          {back}
          <Button look="outline" onClick={onClose}>
            {stay}
          </Button>
          {isShown && (
            <Button
              onClick={() => void confirm(plan.data)}
              pending={isActing || plan.isFetching}
              pendingText={isActing ? pendingText : 'Calculating changes...'}
            >
              {verb(plan.data)}
            </Button>
          )}
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {error !== null && <Refusal error={error} failed={failed} />}
        <PlanPart
          query={plan}
          phase={phase}
          progress={progress}
          marketplaces={marketplaces}
          isWholeShop={isWholeShop}
        />
      </div>
    </Dialog>
  );
}

type PlanPartProps = Pick<PlanDialogProps, 'marketplaces' | 'isWholeShop'> & {
  query: UseQueryResult<RunPreview>;
  phase: LoadingPhase;
  progress: PlanProgress | null;
};

function PlanPart({ query, phase, progress, marketplaces, isWholeShop }: PlanPartProps): React.JSX.Element {
  return (
    <QueryView
      query={query}
      phase={phase}
      loading={<PlanSkeleton progress={progress} />}
      failed={(refusal, retry) => (
        <LoadFailed
          title="Failed to calculate the changes"
          error={refusal}
          onRetry={retry}
          retrying={query.isFetching}
        />
      )}
    >
      {(data) => <PlanView plan={data} marketplaces={marketplaces} isWholeShop={isWholeShop} />}
    </QueryView>
  );
}

function Refusal({ error, failed }: { error: unknown; failed: string }): React.JSX.Element {
  if (error instanceof ApiError && error.status === 409) {
    return (
      <Callout tone="info" role="alert" title="The changes are different now">
        <p className="text-fg-muted">
          Prices or data changed after you opened this, so nothing was applied. Here is the updated preview.
        </p>
      </Callout>
    );
  }
  return (
    <Callout tone="danger" role="alert" title={failed}>
      <p className="text-fg-muted">{errorText(error)}</p>
    </Callout>
  );
}

function PlanSkeleton({ progress }: { progress: PlanProgress | null }): React.JSX.Element {
  return (
    <div className="flex flex-col gap-4">
      {progress === null ? (
        <p className="sr-only">Calculating changes</p>
      ) : (
        <PlanProgressLine progress={progress} />
      )}
      <ListSkeleton rows={6} />
    </div>
  );
}
