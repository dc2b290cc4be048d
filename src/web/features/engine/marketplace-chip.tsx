import { Link } from '@tanstack/react-router';
import { Upload } from 'lucide-react';
import { useState } from 'react';
import type { EngineStatus } from '#contract/engine.ts';
import { MARKETPLACE_NAMES } from '#domain/marketplaces.ts';
import { countOf, formatCount } from '#web/lib/format.ts';
import { useUrlParams } from '#web/lib/url-params.ts';
import { Button } from '#web/ui/button.tsx';
import { MarketplaceMark } from '#web/ui/marketplace-mark.tsx';
import { MomentText } from '#web/ui/moment-text.tsx';
import { Popover } from '#web/ui/popover.tsx';
import { ModeBadge, STANDING_WORDS, standingOf } from './mode-badge.tsx';
import { useDisarm } from './queries.ts';
import { UploadSection } from './upload-section.tsx';

type MarketplaceState = EngineStatus['marketplaces'][number];
type MarketplaceChipProps = { state: MarketplaceState; isAdmin: boolean };

/** A marketplace with what the engine may do there; it opens to say more, to arm, and to fetch prices to upload. */
export function MarketplaceChip({ state, isAdmin }: MarketplaceChipProps): React.JSX.Element {
  const [isOpen, setOpen] = useState(false);
  const name = MARKETPLACE_NAMES[state.marketplace];
  return (
    <Popover
      label={name}
      align="start"
      open={isOpen}
      onOpenChange={setOpen}
      className="w-80"
      trigger={
        <Button look="quiet" className="gap-1.5 px-2 font-normal text-fg [&_svg]:size-3">
          <MarketplaceMark marketplace={state.marketplace} />
          {name} <span className="sr-only">{STANDING_WORDS[standingOf(state)]}</span>
          {state.toUploadCount > 0 && <ToUpload count={state.toUploadCount} />}
        </Button>
      }
    >
      <div className="flex flex-col gap-4 p-4">
        <ModeSection state={state} isAdmin={isAdmin} onDone={() => setOpen(false)} />
        {state.recommendedCount > 0 && (
          <p>
            <Link
              to="/listings"
              search={{ marketplace: state.marketplace, state: 'recommended' }}
              onClick={() => setOpen(false)}
              className="rounded-sm text-link underline"
            >
              {countOf(state.recommendedCount, 'recommended price waits', 'recommended prices wait')}
            </Link>{' '}
            for a person.
          </p>
        )}
        {state.toUploadCount > 0 && (
          <UploadSection
            marketplace={state.marketplace}
            count={state.toUploadCount}
            onFollow={() => setOpen(false)}
          />
        )}
      </div>
    </Popover>
  );
}

/** "78 to upload"; the bar has room for the number only. */
function ToUpload({ count }: { count: number }): React.JSX.Element {
  return (
    <span className="flex items-center gap-0.5 rounded-sm bg-badge-warning px-1 font-medium text-badge-warning-fg tabular-nums">
      <Upload aria-hidden />
      {formatCount(count)} <span className="sr-only">to upload</span>
    </span>
  );
}

type ModeSectionProps = MarketplaceChipProps & { onDone: () => void };

function ModeSection({ state, isAdmin, onDone }: ModeSectionProps): React.JSX.Element {
  const { set } = useUrlParams();
  const disarm = useDisarm();
  const name = MARKETPLACE_NAMES[state.marketplace];
  const isArmed = state.mode === 'armed';
  const isPaused = state.delivery === 'paused';
  return (
    <div className="flex flex-col items-start gap-2">
      <h2 className="flex items-center gap-2 font-semibold">
        {name} <ModeBadge standing={standingOf(state)} />
      </h2>
      {isPaused && (
        <p>Switched off in Settings: the engine only recommends prices here until it is switched on again.</p>
      )}
      <p className="text-fg-muted">
        {isArmed && !isPaused
          ? `The engine takes new prices for ${countOf(state.listingCount, 'listing', 'listings')} by itself, inside your limits.`
          : `The engine computes prices for ${countOf(state.listingCount, 'listing', 'listings')} and recommends them. It changes none by itself.`}
      </p>
      <p className="text-sm text-fg-muted">
        Changed <MomentText iso={state.changedAt} />
        {state.changedBy !== null && ` by ${state.changedBy}`}
      </p>
      {isArmed && (
        <Button
          look="outline"
          onClick={() => disarm.mutate(state.marketplace, { onSuccess: onDone })}
          pending={disarm.isPending}
          pendingText="Disarming..."
        >
          Disarm {name}
        </Button>
      )}
      {!isArmed && isAdmin && (
        <Button
          onClick={() => {
            onDone();
            set({ arm: state.marketplace });
          }}
        >
          Arm {name}...
        </Button>
      )}
      {!isArmed && !isAdmin && <p className="text-sm text-fg-muted">An administrator can arm it.</p>}
    </div>
  );
}
