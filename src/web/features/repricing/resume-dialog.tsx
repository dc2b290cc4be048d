import type { EngineStatus } from '#contract/engine.ts';
import { countOf } from '#web/lib/format.ts';
import { useUrlParams } from '#web/lib/url-params.ts';
import { toast } from '#web/lib/use-toast.ts';
import { liveMarketplaces } from './mode-badge.tsx';
import { PlanDialog } from './plan-dialog.tsx';
import { useResume } from './queries.ts';

/**
 * Opens on any page with `?resume=plan`. Prices may change at once after resuming, so an
 * administrator previews them first; the circuit breaker then allows exactly that preview.
 */
export function ResumeDialog({ status }: { status: EngineStatus }): React.JSX.Element | null {
  const { params, set } = useUrlParams();
  const resume = useResume();
  const live = liveMarketplaces(status);
  if (params.resume !== 'plan' || !status.isHalted || live.length === 0) return null;
  const close = (): void => set({ resume: undefined });
  return (
    <PlanDialog
      title="Resume repricing"
      description="These changes will be made when you resume. No price goes below your minimum margin."
      stay="Keep halted"
      verb={({ changes }) =>
        changes === 0
          ? 'Resume: no price changes now'
          : `Resume: change ${countOf(changes, 'price', 'prices')}`
      }
      pendingText="Resuming..."
      failed="Could not resume repricing"
      marketplaces={live}
      isWholeShop={status.marketplaces.every(
        ({ mode, listingCount }) => mode === 'live' || listingCount === 0,
      )}
      act={({ token }) => resume.mutateAsync(token)}
      onDone={() => {
        toast('Repricing resumed', 'Live marketplaces are repricing again.');
        close();
      }}
      onClose={close}
    />
  );
}
