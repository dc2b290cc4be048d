import { Link } from '@tanstack/react-router';
import type { MarketplaceForecast } from '#contract/arm-plan.ts';
import type { EngineStatus } from '#contract/engine.ts';
import type { Gate } from '#domain/decision.ts';
import { MARKETPLACE_NAMES, type Marketplace } from '#domain/marketplaces.ts';
import { formatCount } from '#web/lib/format.ts';
import { PROBLEM_WORDS } from '#web/lib/problem-words.ts';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { forecastText, leavesText } from './forecast-words.ts';
import { ModeBadge, standingOf } from './mode-badge.tsx';

type State = EngineStatus['marketplaces'][number];

type ArmChoiceProps = {
  /** Those with listings. */
  marketplaces: readonly State[];
  /** Those of them that can be chosen. */
  armable: readonly Marketplace[];
  chosen: readonly Marketplace[];
  onChoose: (marketplace: Marketplace, isChosen: boolean) => void;
  /** While they are being armed. */
  isLocked: boolean;
  /** Null until they are known. */
  forecasts: readonly MarketplaceForecast[] | null;
};

/** Which marketplaces to arm: each with what would change there, and what is not ready and why. */
export function ArmChoice(props: ArmChoiceProps): React.JSX.Element {
  const { marketplaces, armable, chosen, onChoose, isLocked, forecasts } = props;
  return (
    <fieldset>
      <legend className="font-semibold">Which marketplaces?</legend>
      <p className="text-sm text-fg-muted">
        One is enough to begin with. Each shows what would change if only this one were armed now.
      </p>
      <ul className="mt-2 divide-y rounded-lg border">
        {marketplaces.map((state) => {
          const { marketplace } = state;
          const forecast = forecasts?.find((each) => each.marketplace === marketplace);
          return (
            <li key={marketplace} className="px-3 py-2">
              {armable.includes(marketplace) ? (
                <>
                  <Checkbox
                    label={MARKETPLACE_NAMES[marketplace]}
                    hint={hintOf(state, forecast, forecasts === null)}
                    checked={chosen.includes(marketplace)}
                    onChange={(isChosen) => onChoose(marketplace, isChosen)}
                    disabled={isLocked}
                  />
                  {forecast !== undefined && <NotReady forecast={forecast} />}
                </>
              ) : (
                <NoChoice state={state} />
              )}
            </li>
          );
        })}
      </ul>
    </fieldset>
  );
}

function hintOf({ delivery }: State, forecast: MarketplaceForecast | undefined, isLoading: boolean): string {
  if (forecast !== undefined) return `${forecastText(forecast)} ${leavesText(delivery)}`;
  return isLoading ? 'Working out what would change...' : leavesText(delivery);
}

/** Armed already, or nothing to be armed as the settings stand. */
function NoChoice({ state }: { state: State }): React.JSX.Element {
  const { marketplace, delivery } = state;
  const standing = standingOf(state);
  const isUnready = standing === 'paused' || standing === 'read_only';
  return (
    <div className="pl-6.5">
      <p className="flex min-h-11 flex-wrap items-center gap-x-2 dense:min-h-8">
        {MARKETPLACE_NAMES[marketplace]} <ModeBadge standing={standing} />
      </p>
      {isUnready && (
        <p className="text-sm text-fg-muted">
          {delivery === 'read_only'
            ? 'Cannot be armed yet: Settings do not let prices be sent there.'
            : 'Cannot be armed yet: it is switched off in Settings, or a key is missing there.'}{' '}
          <Link
            to="/settings"
            search={{ marketplace }}
            hash="marketplaces"
            className="rounded-sm text-link underline"
          >
            Settings of {MARKETPLACE_NAMES[marketplace]}
          </Link>
        </p>
      )}
    </div>
  );
}

/** "Not ready: 80 no cost, 40 no shipping tier. Left for a person: 7 rule asks first." */
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
                title={PROBLEM_WORDS[problem].fix}
                className="rounded-sm text-link underline"
              >
                {formatCount(count)} {PROBLEM_WORDS[problem].name}
              </Link>
            </span>
          ))}
        </p>
      )}
      {waiting.length > 0 && (
        <p>
          Left for a person:{' '}
          {waiting.map(({ gate, count }) => `${formatCount(count)} ${WAITING_WORDS[gate]}`).join(', ')}
          {waiting.some(({ gate }) => gate === 'own_sellers_unknown') && (
            <>
              {'. '}
              <Link to="/settings" hash="own-sellers" className="rounded-sm text-link underline">
                Say which sellers are you
              </Link>
            </>
          )}
        </p>
      )}
    </div>
  );
}

/** After a count, as the problems are said: "7 rule asks first". */
const WAITING_WORDS = {
  beyond_reach: 'further than one step',
  halted: 'halted',
  paused: 'paused',
  read_only: 'only read',
  observe: 'only observed',
  auto_off: 'automatic repricing off',
  listing_off: 'auto-repricing off for the listing',
  held: 'held',
  ask_first: 'rule asks first',
  own_sellers_unknown: 'your own sellers not named',
  cross_channel: 'dearer than elsewhere',
} as const satisfies Record<Gate, string>;
