import { Link } from '@tanstack/react-router';
import type { Attention } from '#contract/attention.ts';
import { MARKETPLACE_NAMES } from '#domain/marketplaces.ts';
import { countOf, formatCount } from '#web/lib/format.ts';
import { waitingLink } from './links.ts';

const LINK = 'underline decoration-border-control underline-offset-4 hover:decoration-current';

/** Recommended prices that are not applied automatically, by marketplace, with the reason. */
export function WaitingPrices({ attention }: { attention: Attention }): React.JSX.Element {
  const { waiting, isHalted } = attention;
  const total = waiting.reduce((sum, { count }) => sum + count, 0);
  const groups = (['recommend_only', 'live'] as const).map((mode) => ({
    mode,
    entries: waiting.filter((entry) => entry.mode === mode),
  }));
  return (
    <div className="min-w-0">
      <Link {...waitingLink()} className="font-medium hover:underline">
        {countOf(total, 'recommended price', 'recommended prices')} for review
      </Link>
      {isHalted && (
        <p className="text-sm text-fg-muted">Repricing is halted. Resume it to apply these prices.</p>
      )}
      {groups.map(
        ({ mode, entries }) =>
          entries.length > 0 && (
            <p key={mode} className="text-sm text-fg-muted">
              {WAITING_LABELS[mode]}{' '}
              {entries.map(({ marketplace, count }, at) => (
                <span key={marketplace}>
                  {at > 0 && ', '}
                  <Link {...waitingLink(marketplace)} className={LINK}>
                    {MARKETPLACE_NAMES[marketplace]} {formatCount(count)}
                  </Link>
                </span>
              ))}
              .
            </p>
          ),
      )}
    </div>
  );
}

const WAITING_LABELS = {
  recommend_only: 'On marketplaces set to recommend only:',
  live: 'On live marketplaces, needs review:',
} as const;
