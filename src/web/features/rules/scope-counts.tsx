import { Link } from '@tanstack/react-router';
import { ChevronDown, TriangleAlert } from 'lucide-react';
import type { RuleScopeCounts } from '#contract/rules.ts';
import { errorText } from '#web/lib/api.ts';
import { classNames } from '#web/lib/class-names.ts';
import { countOf, formatCount } from '#web/lib/format.ts';
import { touchTarget } from '#web/ui/control-classes.ts';
import { WINS_BECAUSE } from './rule-text.ts';
import type { ScopeCounts } from './use-scope-counts.ts';

/** Two lines, so that nothing below moves once the counts arrive. */
const MIN_HEIGHT = 'min-h-[2lh] text-sm';

/** "Matches 412 listings, prices 100 of them", and which rules have the others. */
export function ScopeCountsNote({ scope }: { scope: ScopeCounts }): React.JSX.Element {
  const { shown, isCurrent, error } = scope;
  if (error !== null) return <p className={`${MIN_HEIGHT} text-danger-text`}>{errorText(error)}</p>;
  if (shown === null) return <p className={`${MIN_HEIGHT} text-fg-muted`}>Counting...</p>;
  return (
    <div className={classNames(MIN_HEIGHT, !isCurrent && 'opacity-60')} aria-busy={!isCurrent}>
      <p className="font-medium">
        {shown.matching === 0
          ? 'Matches no listings.'
          : `Matches ${countOf(shown.matching, 'listing', 'listings')}, prices ${formatCount(shown.deciding)} of them.`}
        {!shown.appliesNow && ' By its schedule it does not apply now.'}
      </p>
      {shown.others.length > 0 && <Others others={shown.others} />}
    </div>
  );
}

/** Folded: rules come and go with every edit, and what is below stays in its place. */
function Others({ others }: Pick<RuleScopeCounts, 'others'>): React.JSX.Element {
  const total = others.reduce((sum, { listings }) => sum + listings, 0);
  return (
    <details className="group">
      <summary className="inline-flex cursor-pointer items-center gap-1 text-fg-muted [&::-webkit-details-marker]:hidden">
        Why the other {formatCount(total)} {total === 1 ? 'is' : 'are'} not priced by it
        <ChevronDown aria-hidden className="size-4 group-open:rotate-180" />
      </summary>
      <ul className="mt-0.5 flex flex-col gap-0.5 text-fg-muted">
        {others.map((other) => (
          <Other key={`${other.rule?.id} ${other.because}`} other={other} />
        ))}
      </ul>
    </details>
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
      <Link to="/rules/$id" params={{ id: rule.id }} className={`text-link underline ${touchTarget}`}>
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
  if (priority.trim() === '1') {
    return (
      <p className="text-sm font-medium text-warning-text">
        Other rules with priority 1 price all of these listings.
      </p>
    );
  }
  return (
    <p className="text-sm font-medium text-warning-text">
      <TriangleAlert aria-hidden className="mr-1.5 inline size-4 align-[-0.2em]" />
      Other rules price all of these listings, so it would change nothing yet.{' '}
      <button
        type="button"
        className={`rounded-sm text-link underline ${touchTarget}`}
        onClick={() => onPriority('1')}
      >
        Give it priority 1
      </button>
    </p>
  );
}
