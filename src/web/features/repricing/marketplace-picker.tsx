import { Link } from '@tanstack/react-router';
import type { EngineStatus } from '#contract/engine.ts';
import type { MarketplaceForecast } from '#contract/run-preview.ts';
import type { ReviewReason } from '#domain/decision/decision.ts';
import { MARKETPLACE_NAMES, type Marketplace } from '#domain/marketplaces.ts';
import { formatCount } from '#web/lib/format.ts';
import { PROBLEM_TEXT } from '#web/lib/listing-problem-text.ts';
import { Button } from '#web/ui/button.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { leavesText, moneyText, movesText } from './forecast-text.ts';
import { ModeBadge, modeStatusOf } from './mode-badge.tsx';
import { PlanProgressLine } from './plan-progress-line.tsx';
import { usePlan } from './plan-query.ts';

type State = EngineStatus['marketplaces'][number];

type MarketplacePickerProps = {
  /** Marketplaces with listings. */
  marketplaces: readonly State[];
  /** Those of them that can be selected. */
  available: readonly Marketplace[];
  chosen: readonly Marketplace[];
  onChoose: (chosen: readonly Marketplace[]) => void;
  /** Continues to the preview of the selected ones. */
  onDone: () => void;
  onClose: () => void;
};

/** Selects marketplaces to go live: each with its changes, and with what is not ready and why. */
export function MarketplacePicker(props: MarketplacePickerProps): React.JSX.Element {
  const { marketplaces, available, chosen, onChoose, onDone, onClose } = props;
  // The live ones, and next to them the preview of each other one.
  const { plan, progress } = usePlan([]);
  const [first] = chosen;
  const forecastOf = (marketplace: Marketplace): MarketplaceForecast | undefined =>
    plan.data?.forecasts.find((each) => each.marketplace === marketplace);
  return (
    <Dialog
      open
      onClose={onClose}
      size="large"
      title="Go live"
      description="On the marketplaces you choose, Pricewright applies new prices automatically, never below your minimum margin. The others do not change."
      footer={
        <>
          <Button look="outline" onClick={onClose}>
            Keep recommending
          </Button>
          {chosen.length > 0 && (
            <Button onClick={onDone}>
              {first !== undefined && chosen.length === 1
                ? `Preview changes on ${MARKETPLACE_NAMES[first]}`
                : `Preview changes on ${chosen.length} marketplaces`}
            </Button>
          )}
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {plan.error !== null && (
          <LoadFailed
            title="Failed to calculate the changes"
            error={plan.error}
            onRetry={() => void plan.refetch()}
            retrying={plan.isFetching}
          />
        )}
        {progress !== null && plan.isPending && <PlanProgressLine progress={progress} />}
        <fieldset>
          <legend className="font-semibold">Which marketplaces?</legend>
          <p className="text-sm text-fg-muted">
            Start with one. Each shows what would change if it went live next.
          </p>
          <ul className="mt-2 divide-y rounded-lg border" aria-busy={plan.isFetching}>
            {marketplaces.map((state) => {
              const { marketplace } = state;
              return (
                <li key={marketplace} className="px-3 py-2">
                  {available.includes(marketplace) ? (
                    <Choice
                      state={state}
                      forecast={forecastOf(marketplace)}
                      isPending={plan.isPending}
                      isChosen={chosen.includes(marketplace)}
                      onChange={(isChosen) =>
                        onChoose(
                          available.filter((each) =>
                            each === marketplace ? isChosen : chosen.includes(each),
                          ),
                        )
                      }
                    />
                  ) : (
                    <NoChoice state={state} />
                  )}
                </li>
              );
            })}
          </ul>
        </fieldset>
      </div>
    </Dialog>
  );
}

type ChoiceProps = {
  state: State;
  forecast: MarketplaceForecast | undefined;
  isPending: boolean;
  isChosen: boolean;
  onChange: (isChosen: boolean) => void;
};

function Choice({ state, forecast, isPending, isChosen, onChange }: ChoiceProps): React.JSX.Element {
  const leaves = leavesText(state.priceChannel);
  const waiting = isPending ? 'Calculating changes...' : leaves;
  return (
    <>
      <Checkbox
        label={MARKETPLACE_NAMES[state.marketplace]}
        hint={forecast === undefined ? waiting : `${foretold(forecast)} ${leaves}`}
        checked={isChosen}
        onChange={onChange}
      />
      {forecast !== undefined && <NotReady forecast={forecast} />}
    </>
  );
}

function foretold(forecast: MarketplaceForecast): string {
  const money = moneyText(forecast);
  if (money === null) return movesText(forecast);
  return `${movesText(forecast)} ${money}`;
}

/** Live already, or not possible with the current settings. */
function NoChoice({ state }: { state: State }): React.JSX.Element {
  const { marketplace, priceChannel } = state;
  const modeStatus = modeStatusOf(state);
  const isUnready = modeStatus === 'paused' || modeStatus === 'read_only';
  return (
    <div className="pl-6.5">
      <p className="flex min-h-11 flex-wrap items-center gap-x-2 dense:min-h-8">
        {MARKETPLACE_NAMES[marketplace]} <ModeBadge modeStatus={modeStatus} />
      </p>
      {isUnready && (
        <p className="text-sm text-fg-muted">
          {priceChannel === 'read_only'
            ? 'Cannot go live: sending prices is turned off in Settings.'
            : 'Cannot go live: the marketplace is turned off in Settings, or a credential is missing.'}{' '}
          <Link
            to="/settings"
            search={{ marketplace }}
            hash="marketplaces"
            className="rounded-sm text-link underline"
          >
            {MARKETPLACE_NAMES[marketplace]} settings
          </Link>
        </p>
      )}
    </div>
  );
}

/** "Not ready: 80 no cost, 40 no shipping tier. Needs review: 7 rule requires review." */
function NotReady({ forecast }: { forecast: MarketplaceForecast }): React.JSX.Element | null {
  const { marketplace, problems, waiting } = forecast;
  if (problems.length + waiting.length === 0) return null;
  return (
    <div className="pl-6.5 text-sm text-fg-muted">
      {problems.length > 0 && (
        <p>
          Not ready:{' '}
          {problems.map(({ problem, count }, index) => (
            <span key={problem}>
              {index > 0 && ', '}
              <Link
                to="/listings"
                search={{ marketplace, problem }}
                title={PROBLEM_TEXT[problem].fix}
                className="rounded-sm text-link underline"
              >
                {formatCount(count)} {PROBLEM_TEXT[problem].name}
              </Link>
            </span>
          ))}
        </p>
      )}
      {waiting.length > 0 && (
        <p>
          Needs review:{' '}
          {waiting
            .map(({ reviewReason, count }) => `${formatCount(count)} ${WAITING_LABELS[reviewReason]}`)
            .join(', ')}
          {waiting.some(({ reviewReason }) => reviewReason === 'own_sellers_unknown') && (
            <>
              {'. '}
              <Link to="/settings" hash="own-sellers" className="rounded-sm text-link underline">
                Identify your sellers
              </Link>
            </>
          )}
        </p>
      )}
    </div>
  );
}

/** Follows a count: "7 rule requires review". */
const WAITING_LABELS = {
  outside_move_range: 'outside the step limit',
  halted: 'halted',
  paused: 'marketplace turned off',
  read_only: 'marketplace is read-only',
  recommend_only: 'marketplace only recommends',
  unread: 'current price not confirmed yet',
  auto_off: 'automatic repricing off',
  listing_off: 'auto-repricing off for the listing',
  held: 'on hold',
  ask_first: 'rule requires review',
  own_sellers_unknown: 'seller name not set',
  estimated_fee: 'FBA/WFS fee only estimated',
  fees_doubted: 'fees that changed for many listings',
  fee_not_told: 'fee not reported yet',
  cross_channel: 'higher than on another channel',
  group_member: 'shared with a listing that needs review',
} as const satisfies Record<ReviewReason, string>;
