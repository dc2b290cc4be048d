import { Link } from '@tanstack/react-router';
import { ChevronDown, OctagonX } from 'lucide-react';
import { useId, useState } from 'react';
import type { EngineStatus } from '#contract/engine.ts';
import { MARKETPLACE_NAMES, type Marketplace } from '#domain/marketplaces.ts';
import { classNames } from '#web/lib/class-names.ts';
import { countOf } from '#web/lib/format.ts';
import { useUrlParams } from '#web/lib/url-params.ts';
import { Button } from '#web/ui/button.tsx';
import { MarketplaceMark } from '#web/ui/marketplace-mark.tsx';
import { useNow } from '#web/ui/moment-text.tsx';
import { HaltedText } from './halted-text.tsx';
import { MarketplacePanel } from './marketplace-panel.tsx';
import { MODE_LABELS, ModeBadge, modeStatusOf } from './mode-badge.tsx';
import { RepriceNowButton, RunProgress } from './repricing-progress.tsx';

type ModeListProps = {
  status: EngineStatus;
  isAdmin: boolean;
  isMobile: boolean;
  /** Called after an action or a link: the list may close. */
  onDone: () => void;
};

/** What the mode pill opens: the next check, and every marketplace with its mode, going live, and what to upload. */
export function ModeList({ status, isAdmin, isMobile, onDone }: ModeListProps): React.JSX.Element {
  const [open, setOpen] = useState<Marketplace | null>(null);
  const now = useNow();
  return (
    <>
      <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-4 border-b px-4 py-2.5">
        <h2 className="font-semibold">Repricing mode</h2>
        <RunProgress status={status} onFollow={onDone} />
      </div>
      {status.isHalted && (
        <p className="flex gap-2 border-b bg-badge-danger px-4 py-2.5 text-badge-danger-fg">
          <OctagonX aria-hidden className="mt-0.5 size-4 shrink-0" />
          <span className="min-w-0 flex-1">
            <HaltedText status={status} isAdmin={isAdmin} now={now} onFollow={onDone} />
          </span>
        </p>
      )}
      <ul aria-label="Marketplaces" className="divide-y">
        {status.marketplaces.map((state) => (
          <li key={state.marketplace}>
            <MarketplaceRow
              state={state}
              isAdmin={isAdmin}
              isOpen={open === state.marketplace}
              onToggle={() => setOpen(open === state.marketplace ? null : state.marketplace)}
              onDone={onDone}
            />
          </li>
        ))}
      </ul>
      <div className="flex min-h-12 items-center justify-between gap-2 border-t px-4 py-1.5">
        <Link to="/runs" onClick={onDone} className="rounded-sm py-1 font-medium text-link hover:underline">
          Runs
        </Link>
        {/* Elsewhere it is in the header itself. */}
        {isMobile && <RepriceNowButton status={status} look="outline" />}
      </div>
    </>
  );
}

type MarketplaceRowProps = {
  state: EngineStatus['marketplaces'][number];
  isAdmin: boolean;
  isOpen: boolean;
  onToggle: () => void;
  onDone: () => void;
};

/** One marketplace; its row opens the details. */
function MarketplaceRow({
  state,
  isAdmin,
  isOpen,
  onToggle,
  onDone,
}: MarketplaceRowProps): React.JSX.Element {
  const detailsId = useId();
  const { set } = useUrlParams();
  const name = MARKETPLACE_NAMES[state.marketplace];
  const modeStatus = modeStatusOf(state);
  if (state.listingCount === 0) {
    return (
      <p className="flex min-h-11 items-center gap-2.5 px-4 text-fg-muted">
        <MarketplaceMark marketplace={state.marketplace} />
        {name}
        <span className="ml-auto text-sm">No listings</span>
      </p>
    );
  }
  return (
    <>
      <div className="flex items-center gap-2 pr-4">
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={detailsId}
          onClick={onToggle}
          className="flex min-h-13 min-w-0 flex-1 items-center gap-2.5 py-1.5 pl-4 text-left hover:bg-hover focus-visible:-outline-offset-2"
        >
          <MarketplaceMark marketplace={state.marketplace} />
          <span className="min-w-0 flex-1">
            <span className="flex items-center gap-1 font-medium">
              {name} <span className="sr-only">{MODE_LABELS[modeStatus]} </span>
              <ChevronDown
                aria-hidden
                className={classNames('size-3.5 text-fg-muted', isOpen && 'rotate-180')}
              />
            </span>
            <span className="block text-sm text-fg-muted">{countsOf(state)}</span>
          </span>
          <span aria-hidden>
            <ModeBadge modeStatus={modeStatus} />
          </span>
        </button>
        {isAdmin && modeStatus === 'recommend_only' && (
          <Button
            look="outline"
            size="small"
            aria-label={`Go live on ${name}...`}
            onClick={() => {
              onDone();
              set({ 'go-live': state.marketplace });
            }}
          >
            Go live
          </Button>
        )}
      </div>
      <div id={detailsId} hidden={!isOpen}>
        {isOpen && <MarketplacePanel state={state} isAdmin={isAdmin} onDone={onDone} />}
      </div>
    </>
  );
}

/** "412 listings, 18 to upload" */
function countsOf({ listingCount, recommendedCount, toUploadCount }: MarketplaceRowProps['state']): string {
  return [
    countOf(listingCount, 'listing', 'listings'),
    recommendedCount > 0 && `${recommendedCount} recommended`,
    toUploadCount > 0 && `${toUploadCount} to upload`,
  ]
    .filter((part) => part !== false)
    .join(', ');
}
