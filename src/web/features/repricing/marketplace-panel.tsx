import { Link } from '@tanstack/react-router';
import type { EngineStatus } from '#contract/engine.ts';
import { modeResetSentence } from '#domain/connections/mode-reset.ts';
import { MARKETPLACE_NAMES } from '#domain/marketplaces.ts';
import { countOf } from '#web/lib/format.ts';
import { Button } from '#web/ui/button.tsx';
import { MomentText } from '#web/ui/moment-text.tsx';
import { useRecommendOnly } from './queries.ts';
import { UploadSection } from './upload-section.tsx';

type MarketplacePanelProps = {
  state: EngineStatus['marketplaces'][number];
  isAdmin: boolean;
  /** Called after an action or a link: the panel may close. */
  onDone: () => void;
};

/** The details of a marketplace in the list of modes: its mode, prices that need review, and prices to upload. */
export function MarketplacePanel({ state, isAdmin, onDone }: MarketplacePanelProps): React.JSX.Element {
  return (
    <div className="flex flex-col gap-4 px-4 pt-1 pb-4">
      <ModeSection state={state} isAdmin={isAdmin} onDone={onDone} />
      {state.recommendedCount > 0 && (
        <p>
          <Link
            to="/listings"
            search={{ marketplace: state.marketplace, state: 'recommended' }}
            onClick={onDone}
            className="rounded-sm text-link underline"
          >
            {countOf(state.recommendedCount, 'recommended price', 'recommended prices')}{' '}
          </Link>{' '}
          {state.recommendedCount === 1 ? 'needs' : 'need'} review.
        </p>
      )}
      {state.toUploadCount > 0 && (
        <UploadSection marketplace={state.marketplace} count={state.toUploadCount} onFollow={onDone} />
      )}
    </div>
  );
}

function ModeSection({ state, isAdmin, onDone }: MarketplacePanelProps): React.JSX.Element {
  const recommendOnly = useRecommendOnly();
  const name = MARKETPLACE_NAMES[state.marketplace];
  const isLive = state.mode === 'live';
  const isPaused = state.priceChannel === 'paused' || state.priceChannel === 'read_only';
  return (
    <div className="flex flex-col items-start gap-2">
      {isPaused && (
        <p>
          {state.priceChannel === 'read_only'
            ? `Sending prices to ${name} is turned off in Settings, so prices are only recommended.`
            : 'Turned off in Settings, or a credential is missing. Until that is fixed, prices are only recommended.'}{' '}
          {isAdmin && (
            <Link
              to="/settings"
              search={{ marketplace: state.marketplace }}
              hash="marketplaces"
              onClick={onDone}
              className="rounded-sm text-link underline"
            >
              {name} settings
            </Link>
          )}
        </p>
      )}
      {state.modeResetReason !== null && !isPaused && (
        <p>{modeResetSentence(state.marketplace, state.modeResetReason)}</p>
      )}
      <p className="text-fg-muted">
        {isLive && !isPaused
          ? `New prices for ${countOf(state.listingCount, 'listing', 'listings')} are applied automatically, within your limits.`
          : `Prices for ${countOf(state.listingCount, 'listing', 'listings')} are recommended, not applied.`}
      </p>
      <p className="text-sm text-fg-muted">
        Changed <MomentText iso={state.changedAt} />
        {state.changedBy !== null && ` by ${state.changedBy}`}
      </p>
      {isLive && (
        <Button
          look="outline"
          onClick={() => recommendOnly.mutate(state.marketplace, { onSuccess: onDone })}
          pending={recommendOnly.isPending}
          pendingText="Switching..."
        >
          Switch {name} to recommend only
        </Button>
      )}
      {!isLive && !isPaused && !isAdmin && (
        <p className="text-sm text-fg-muted">Only an administrator can go live.</p>
      )}
    </div>
  );
}
