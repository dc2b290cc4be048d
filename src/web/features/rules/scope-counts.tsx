import { Link } from '@tanstack/react-router';
import { TriangleAlert } from 'lucide-react';
import type { RuleScopeCounts } from '#contract/rules.ts';
import { errorText } from '#web/lib/api.ts';
import { countOf, formatCount } from '#web/lib/format.ts';
import { Button } from '#web/ui/button.tsx';
import { WINS_BECAUSE } from './rule-text.ts';
import type { ScopeCounts } from './use-scope-counts.ts';

/** "Matches 412 listings, prices 100 of them", and which rules have the others. */
export function ScopeCountsNote({ scope }: { scope: ScopeCounts }): React.JSX.Element {
  const { shown, isCurrent, error } = scope;
  if (error !== null) return <p className="text-sm text-danger-text">{errorText(error)}</p>;
  if (shown === null) return <p className="text-sm text-fg-muted">Counting...</p>;
  return (
    <div className={isCurrent ? 'text-sm' : 'text-sm opacity-60'} aria-busy={!isCurrent}>
      <p className="font-medium">
        {shown.matching === 0
          ? 'Matches no listings.'
          : `Matches ${countOf(shown.matching, 'listing', 'listings')}, prices ${formatCount(shown.deciding)} of them.`}
        {!shown.appliesNow && ' By its schedule it does not apply now.'}
      </p>
      <ul className="mt-0.5 flex flex-col gap-0.5 text-fg-muted">
        {shown.others.map((other) => (
          <Other key={`${other.rule?.id} ${other.because}`} other={other} />
        ))}
      </ul>
    </div>
  );
}

function Other({ other }: { other: RuleScopeCounts['others'][number] }): React.JSX.Element {
  const { rule, listings, because } = other;
  if (rule === null) {
    return (
      <li>
        {countOf(listings, 'listing has an assigned rule', 'listings have an assigned rule')} that was
        deleted.
      </li>
    );
  }
  return (
    <li>
      {formatCount(listings)} {listings === 1 ? 'goes' : 'go'} to{' '}
      <Link to="/rules/$id" params={{ id: rule.id }} className="text-link underline">
        {rule.name}
      </Link>
      , because {because === 'assigned' ? 'it is assigned to them' : WINS_BECAUSE[because]}.
    </li>
  );
}

/** Whether other rules have all the listings that the draft matches, and a priority would change that. */
export function isCrowdedOutOf({ shown, isCurrent }: ScopeCounts): boolean {
  return (
    isCurrent &&
    shown !== null &&
    shown.matching > 0 &&
    shown.deciding === 0 &&
    shown.others.some(({ because }) => because !== 'assigned')
  );
}

type PriorityOfferProps = { priority: string; onPriority: (priority: string) => void };

/** Says that other rules price everything here, and offers the priority that changes it. */
export function PriorityOffer({ priority, onPriority }: PriorityOfferProps): React.JSX.Element {
  const isFirst = priority.trim() === '1';
  return (
    <div className="flex flex-col items-start gap-2 text-sm">
      <p className="flex items-start gap-1.5 font-medium text-warning-text">
        <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
        {isFirst
          ? 'Other rules with priority 1 price all of these listings.'
          : 'Other rules price all of these listings. Give it priority 1 to see its effect.'}
      </p>
      {!isFirst && (
        <Button look="outline" onClick={() => onPriority('1')}>
          Give it priority 1
        </Button>
      )}
    </div>
  );
}
