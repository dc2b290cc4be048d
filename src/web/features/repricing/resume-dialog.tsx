import type { EngineStatus } from '#contract/engine.ts';
import { countOf } from '#web/lib/format.ts';
import { useUrlParams } from '#web/lib/url-params.ts';
import { toast } from '#web/lib/use-toast.ts';
import { liveMarketplaces } from './mode-badge.tsx';
import { PlanDialog } from './plan-dialog.tsx';
import { useResume } from './queries.ts';

/**
 * Opens on any page whose address says `?resume=plan`. What was held back since the halt may move at once, so an
 * administrator sees it first; the circuit breaker then lets exactly that plan pass.
 */
export function ResumeDialog({ status }: { status: EngineStatus }): React.JSX.Element | null {
  const { params, set } = useUrlParams();
  const resume = useResume();
  const armed = liveMarketplaces(status);
  if (params.resume !== 'plan' || !status.isHalted || armed.length === 0) return null;
  const close = (): void => set({ resume: undefined });
  return (
    <PlanDialog
      title="Resume repricing"
      description="This is what the engine does next once it is resumed. Nothing goes under your minimum margin."
      stay="Stay halted"
      verb={({ changes }) =>
        changes === 0
          ? 'Resume: no price changes yet'
          : `Resume: change ${countOf(changes, 'price', 'prices')}`
      }
      pendingText="Resuming..."
      failed="The engine could not be resumed"
      marketplaces={armed}
      isWholeShop={status.marketplaces.every(
        ({ mode, listingCount }) => mode === 'armed' || listingCount === 0,
      )}
      act={({ token }) => resume.mutateAsync(token)}
      onDone={() => {
        toast('Engine resumed', 'Armed marketplaces reprice again.');
        close();
      }}
      onClose={close}
    />
  );
}
