import { useQuery } from '@tanstack/react-query';
import { FlaskConical } from 'lucide-react';
import { Suspense } from 'react';
import type { EngineStatus } from '#contract/engine.ts';
import { engineQuery } from '#web/lib/engine.ts';
import { lazyPart } from '#web/lib/lazy-part.ts';
import { useUrlParams } from '#web/lib/url-params.ts';
import { MOBILE, useMediaQuery } from '#web/lib/use-media-query.ts';
import { useNow } from '#web/ui/moment-text.tsx';
import { Tip } from '#web/ui/tooltip.tsx';
import { goLiveParam } from './go-live-param.ts';
import { HaltButton } from './halt-button.tsx';
import { HaltedText } from './halted-text.tsx';
import { ModePill } from './mode-pill.tsx';
import { RepriceNowButton } from './repricing-progress.tsx';
import { useHaltToast } from './use-halt-toast.ts';

const GoLiveDialog = lazyPart(async () => (await import('./go-live-dialog.tsx')).GoLiveDialog).Part;
const ResumeDialog = lazyPart(async () => (await import('./resume-dialog.tsx')).ResumeDialog).Part;

/** In the header of every page: the repricing mode of each marketplace, Reprice now, and Halt. */
export function RepricingHeader({ isAdmin }: { isAdmin: boolean }): React.JSX.Element {
  const engine = useQuery(engineQuery);
  const isMobile = useMediaQuery(MOBILE);
  const status = engine.data;
  const now = useNow();
  useHaltToast(status);
  // Without listings there is nothing to go live with, to check or to upload.
  const hasListings = status?.marketplaces.some(({ listingCount }) => listingCount > 0) ?? false;
  return (
    <section aria-label="Repricing" className="flex min-w-0 items-center gap-1 md:gap-1.5 print:hidden">
      {status === undefined && <Unknown isFailed={engine.isError} onRetry={() => void engine.refetch()} />}
      {status !== undefined && (hasListings || status.isHalted) && (
        <ModePill status={status} isAdmin={isAdmin} isMobile={isMobile} />
      )}
      {status?.usesTestAddresses === true && <TestAddresses />}
      {status !== undefined && hasListings && !isMobile && <RepriceNowButton status={status} look="quiet" />}
      <HaltButton isAdmin={isAdmin} />
      {status?.isHalted === true && (
        <p role="status" className="sr-only">
          <HaltedText status={status} isAdmin={isAdmin} now={now} />
        </p>
      )}
      {isAdmin && status !== undefined && <PlanDialogs status={status} />}
    </section>
  );
}

/** The room of the pill until the state is known, and what failed where it cannot be read. */
function Unknown({ isFailed, onRetry }: { isFailed: boolean; onRetry: () => void }): React.JSX.Element {
  if (!isFailed) return <span aria-hidden className="h-8 w-32 rounded-full bg-fill xl:w-96" />;
  return (
    <span className="flex min-w-0 items-center gap-1.5">
      <span className="truncate text-danger-text">Failed to load the repricing status.</span>
      <button
        type="button"
        // Pages have a Retry of their own.
        aria-label="Retry: repricing status"
        className="min-h-11 rounded-sm text-link hover:underline dense:min-h-8"
        onClick={onRetry}
      >
        Retry
      </button>
    </span>
  );
}

/** On every page, so that test and real marketplaces are not confused. */
function TestAddresses(): React.JSX.Element {
  return (
    <Tip text="Prices are sent to test servers, not to the real marketplaces.">
      <span className="inline-flex h-6 shrink-0 items-center gap-1 rounded-sm bg-badge-warning px-2 text-sm font-medium text-badge-warning-fg">
        <FlaskConical aria-hidden className="size-3.5" />
        <span className="max-lg:sr-only">
          <span className="sr-only">Connected to </span>Test servers
        </span>
      </span>
    </Tip>
  );
}

/** Loaded when an address opens them: most pages never show a preview. */
function PlanDialogs({ status }: { status: EngineStatus }): React.JSX.Element | null {
  const { params } = useUrlParams();
  if (goLiveParam(params) === undefined && params.resume === undefined) return null;
  return (
    <Suspense fallback={null}>
      <GoLiveDialog status={status} />
      <ResumeDialog status={status} />
    </Suspense>
  );
}
