import type { ListedRule } from '#contract/rules.ts';
import { ConflictNote } from './conflict-note.tsx';
import { EarningsNote } from './earnings-note.tsx';
import { optionText } from './option-labels.ts';
import type { Precedence } from './rule-conflicts.ts';
import { DecidedNow } from './rule-figures.tsx';
import { haveTimes } from './store-time.ts';
import { TimeZoneNote } from './time-zone-note.tsx';

type RuleDetailsProps = {
  rule: ListedRule;
  /** Null for a paused rule, which competes with no other. */
  precedence: Precedence | null;
  /** What it earned is counted once it is shown. */
  isOpen: boolean;
};

/** What a row of two lines has no room for: lines, options, what decides its listings, other rules, and what it earned. */
export function RuleDetails({ rule, precedence, isOpen }: RuleDetailsProps): React.JSX.Element {
  const options = optionText(rule);
  return (
    <div className="flex flex-col gap-3 text-sm text-fg-muted lg:flex-row lg:gap-8">
      <div className="flex min-w-0 flex-1 flex-col gap-1.5">
        {rule.lines !== null && (
          <ol className="flex list-decimal flex-col gap-0.5 pl-5">
            {/* Lines have no identity besides their place. */}
            {Array.from(rule.lines.split('\n').entries(), ([index, line]) => (
              <li key={index} className="wrap-anywhere">
                {line}
              </li>
            ))}
          </ol>
        )}
        {haveTimes(rule.lines) && <TimeZoneNote />}
        {options.length > 0 && <p>{options.join(' · ')}</p>}
        <p className="flex flex-wrap items-center gap-x-4 tabular-nums">
          <DecidedNow rule={rule} />
        </p>
        {precedence === null ? (
          <p>It is paused, so it competes with no other rule.</p>
        ) : (
          <ConflictNote precedence={precedence} />
        )}
      </div>
      {rule.sold !== undefined && (
        <section aria-label="Earned against before" className="min-w-0 lg:w-96">
          <h4 className="font-medium text-fg">Earned against before</h4>
          {isOpen && <EarningsNote id={rule.id} />}
        </section>
      )}
    </div>
  );
}
