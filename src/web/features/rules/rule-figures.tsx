import { Link } from '@tanstack/react-router';
import type { ListedRule } from '#contract/rules.ts';
import { countOf } from '#web/lib/format.ts';
import { decidedByText, floorShareText } from './rule-text.ts';

type RuleProps = { rule: ListedRule };

/** What a stored rule does now: what decides its listings, how often its prices change, and how many are at their margin floor. */
export function RuleFigures({ rule, lead }: RuleProps & { lead: string }): React.JSX.Element | null {
  if (rule.appliedTo === 0 && rule.changesInDay === 0) return null;
  return (
    <p className="flex flex-wrap items-center gap-x-4 text-sm text-fg-muted tabular-nums">
      <span>{lead}</span>
      <DecidedNow rule={rule} />
      <ChangesOfDay rule={rule} />
    </p>
  );
}

/** What decides its listings, and the share at their margin floor, linked to these; nothing without listings. */
export function DecidedNow({ rule }: RuleProps): React.JSX.Element {
  const decided = decidedByText(rule.decidedBy);
  const floorShare = floorShareText(rule);
  return (
    <>
      {decided !== '' && <span>{decided}</span>}
      {floorShare !== null && (
        <Link
          to="/listings"
          search={{ rule: rule.id, state: 'at_floor' }}
          className="inline-flex min-h-10 items-center rounded-sm text-link underline-offset-4 hover:underline lg:min-h-6"
        >
          {floorShare} at margin floor
        </Link>
      )}
    </>
  );
}

/** How many prices it changed in 24 hours; nothing for a rule without listings that changed none. */
export function ChangesOfDay({ rule: { appliedTo, changesInDay } }: RuleProps): React.JSX.Element | null {
  if (appliedTo === 0 && changesInDay === 0) return null;
  return <span>{countOf(changesInDay, 'price change', 'price changes')} in 24 hours</span>;
}
