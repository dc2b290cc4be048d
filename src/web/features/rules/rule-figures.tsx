import { Link } from '@tanstack/react-router';
import type { ListedRule } from '#contract/rules.ts';
import { countOf } from '#web/lib/format.ts';
import { decidedByText, floorShareText } from './rule-text.ts';

type RuleFiguresProps = {
  rule: ListedRule;
  /** Says whose figures they are, where others are near. */
  lead?: string;
};

/** What a rule does now: what decides its listings, how often its prices change, and how many are at their margin floor. */
export function RuleFigures({ rule, lead }: RuleFiguresProps): React.JSX.Element | null {
  const { id, appliedTo, decidedBy, changesInDay } = rule;
  if (appliedTo === 0 && changesInDay === 0) return null;
  const decided = decidedByText(decidedBy);
  const floorShare = floorShareText(rule);
  return (
    <p className="flex flex-wrap items-center gap-x-4 text-sm text-fg-muted tabular-nums">
      {lead !== undefined && <span>{lead}</span>}
      {decided !== '' && <span>{decided}</span>}
      <span>{countOf(changesInDay, 'price change', 'price changes')} in 24 hours</span>
      {floorShare !== null && (
        <Link
          to="/listings"
          search={{ rule: id, state: 'at_floor' }}
          className="inline-flex min-h-10 items-center rounded-sm text-link underline-offset-4 hover:underline lg:min-h-6"
        >
          {floorShare} at margin floor
        </Link>
      )}
    </p>
  );
}
