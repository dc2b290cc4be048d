import { useQuery } from '@tanstack/react-query';
import { ChevronDown, FlaskConical } from 'lucide-react';
import { Suspense, useId, useState } from 'react';
import type { EngineStatus } from '#contract/engine.ts';
import { classNames } from '#web/lib/class-names.ts';
import { engineQuery } from '#web/lib/engine.ts';
import { countOf } from '#web/lib/format.ts';
import { lazyPart } from '#web/lib/lazy-part.ts';
import { useUrlParams } from '#web/lib/url-params.ts';
import { MOBILE, useMediaQuery } from '#web/lib/use-media-query.ts';
import { goLiveParam } from './go-live-param.ts';
import { HaltedBar } from './halted-bar.tsx';
import { MarketplaceChip } from './marketplace-chip.tsx';
import { MODE_LABELS, ModeBadge, type ModeStatus, modeStatusOf } from './mode-badge.tsx';
import { EngineProgress } from './repricing-progress.tsx';
import { useHaltAlert } from './use-halt-alert.ts';

const GoLiveDialog = lazyPart(async () => (await import('./go-live-dialog.tsx')).GoLiveDialog).Part;
const ResumeDialog = lazyPart(async () => (await import('./resume-dialog.tsx')).ResumeDialog).Part;

/** Under the header of every page: the mode of each marketplace, progress, and what needs review. */
export function EngineBar({ isAdmin }: { isAdmin: boolean }): React.JSX.Element | null {
  const engine = useQuery(engineQuery);
  const isMobile = useMediaQuery(MOBILE);
  const status = engine.data;
  useHaltAlert(status);
  if (status === undefined) {
    return (
      <div className="flex min-h-11 items-center gap-3 border-b bg-surface px-4 text-sm text-fg-muted print:hidden">
        {engine.isError && (
          <>
            <span className="text-danger-text">Failed to load the repricing status.</span>
            <button
              type="button"
              // Pages have a Retry of their own.
              aria-label="Retry: repricing status"
              className="min-h-11 rounded-sm text-link hover:underline dense:min-h-8"
              onClick={() => void engine.refetch()}
            >
              Retry
            </button>
          </>
        )}
      </div>
    );
  }
  // Without listings there is nothing to go live with, to check or to upload.
  const hasListings = status.marketplaces.some(({ listingCount }) => listingCount > 0);
  return (
    <section aria-label="Repricing" className="print:hidden">
      {status.usesTestAddresses && <TestAddresses />}
      {status.isHalted && <HaltedBar status={status} isAdmin={isAdmin} />}
      {hasListings &&
        (isMobile ? (
          <PhoneBar status={status} isAdmin={isAdmin} />
        ) : (
          <WideBar status={status} isAdmin={isAdmin} />
        ))}
      {isAdmin && <PlanDialogs status={status} />}
    </section>
  );
}

/** On every page, so that test and real marketplaces are not confused. */
function TestAddresses(): React.JSX.Element {
  return (
    <p className="flex items-start gap-2 border-b bg-badge-warning px-4 py-2 text-sm text-badge-warning-fg">
      <FlaskConical aria-hidden className="mt-px size-4 shrink-0" />
      <span>
        <strong className="font-semibold">Connected to test servers.</strong> Prices are sent to test servers,
        not to the real marketplaces.
      </span>
    </p>
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

type BarProps = { status: EngineStatus; isAdmin: boolean };

function WideBar({ status, isAdmin }: BarProps): React.JSX.Element {
  return (
    <div className="flex min-h-11 flex-wrap items-center gap-x-4 gap-y-1 border-b bg-surface px-4 py-1 text-sm">
      <Chips status={status} isAdmin={isAdmin} />
      <EngineProgress status={status} className="ml-auto" />
    </div>
  );
}

/** One line that opens: a phone has no room for six marketplaces above every page. */
function PhoneBar({ status, isAdmin }: BarProps): React.JSX.Element {
  const [isOpen, setOpen] = useState(false);
  const panelId = useId();
  return (
    <div className="border-b bg-surface text-sm">
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={panelId}
        onClick={() => setOpen(!isOpen)}
        className="flex min-h-11 w-full items-center justify-between gap-3 px-4 text-left"
      >
        <span className="truncate">{summaryOf(status)}</span>
        <ChevronDown aria-hidden className={classNames('size-4 shrink-0', isOpen && 'rotate-180')} />
      </button>
      <div id={panelId} hidden={!isOpen} className="flex-col gap-3 border-t px-4 py-3 not-[[hidden]]:flex">
        <Chips status={status} isAdmin={isAdmin} />
        <EngineProgress status={status} />
      </div>
    </div>
  );
}

/** The marketplaces in use, live ones first: each group has its mode once. */
function Chips({ status, isAdmin }: BarProps): React.JSX.Element {
  const used = status.marketplaces.filter(({ listingCount }) => listingCount > 0);
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
      {(['live', 'recommend_only', 'read_only', 'paused'] as const).map((standing) => {
        const group = used.filter((marketplace) => modeStatusOf(marketplace) === standing);
        return (
          group.length > 0 && (
            <div key={standing} className="flex flex-wrap items-center gap-x-1 gap-y-1">
              <ModeBadge standing={standing} />
              <ul aria-label={`${MODE_LABELS[standing]} marketplaces`} className="contents">
                {group.map((marketplace) => (
                  <li key={marketplace.marketplace}>
                    <MarketplaceChip state={marketplace} isAdmin={isAdmin} />
                  </li>
                ))}
              </ul>
            </div>
          )
        );
      })}
    </div>
  );
}

/** "2 live, 1 recommend only, 37 prices to upload" */
function summaryOf({ marketplaces, run }: EngineStatus): string {
  const used = marketplaces.filter(({ listingCount }) => listingCount > 0);
  const count = (standing: ModeStatus): number =>
    used.filter((marketplace) => modeStatusOf(marketplace) === standing).length;
  const [live, recommendOnly] = [count('live'), count('recommend_only')];
  const [readOnly, paused] = [count('read_only'), count('paused')];
  const toUpload = used.reduce((sum, { toUploadCount }) => sum + toUploadCount, 0);
  return [
    live > 0 && `${live} live`,
    recommendOnly > 0 && `${recommendOnly} recommend only`,
    readOnly > 0 && `${readOnly} read-only`,
    paused > 0 && `${paused} paused`,
    toUpload > 0 && `${countOf(toUpload, 'price', 'prices')} to upload`,
    run !== null && 'repricing',
  ]
    .filter((part) => part !== false)
    .join(', ');
}
