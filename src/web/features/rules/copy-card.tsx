import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ListedRule } from '#contract/rules.ts';
import { countOf } from '#web/lib/format.ts';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { NumberField } from '#web/ui/number-field.tsx';
import { type AddressScope, arePoints, copiedDraft } from './address-scope.ts';
import { rulesOfListingsQuery } from './queries.ts';
import type { RuleDraft } from './rule-draft.ts';

/** What was chosen to copy. */
export interface RuleCopy {
  readonly id: string;
  readonly points: string;
  /** Other rules price some of the listings, too. */
  readonly hasMore: boolean;
}

type CopyCardProps = {
  scope: AddressScope;
  rules: readonly ListedRule[];
  /** Rules that were copied a moment ago, and their copies: they are not offered. */
  done: readonly string[];
  /** How much the margins of those were raised. */
  startPoints: string;
  onCopy: (draft: RuleDraft, copy: RuleCopy) => void;
};

/** The rules that price the chosen listings now, each to copy for them alone, with a higher margin. */
export function CopyCard({ scope, rules, done, startPoints, onCopy }: CopyCardProps): React.JSX.Element {
  const query = useQuery(rulesOfListingsQuery(scope));
  const [points, setPoints] = useState(startPoints);
  const isReadable = arePoints(points);
  const offered = (query.data?.rules ?? []).filter(({ rule }) => rule === null || !done.includes(rule.id));
  const copies = offered.filter(({ rule }) => rules.some(({ id }) => id === rule?.id)).length;
  return (
    <Card className="flex flex-col gap-3">
      <h2 className="text-md font-semibold">
        {done.length === 0
          ? 'Start from the rule that prices them now'
          : 'Copy the next rule that prices some of them'}
      </h2>
      <NumberField
        label="Raise its minimum margins by (points)"
        hint="From 15% to 18% is 3 points. Blank: the same margins."
        error={isReadable ? undefined : 'Enter points such as 3 or 2.5.'}
        value={points}
        onChange={(event) => setPoints(event.target.value)}
        className="w-32"
      />
      {query.isError && (
        <LoadFailed
          title="Failed to load the rules of these listings"
          error={query.error}
          onRetry={() => void query.refetch()}
          retrying={query.isFetching}
        />
      )}
      <ul aria-busy={query.isPending} className="flex min-h-9 flex-col gap-2">
        {offered.map(({ rule: of, listings }) => {
          const rule = rules.find(({ id }) => id === of?.id);
          const count = countOf(listings, 'listing', 'listings');
          return (
            <li key={of?.id ?? ''} className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <span>
                {of === null ? 'No rule' : of.name}: {count}
              </span>
              {rule !== undefined && (
                <Button
                  look="outline"
                  aria-label={`Copy ${rule.name} for these listings`}
                  onClick={() => {
                    if (!isReadable) return;
                    onCopy(copiedDraft(rule, scope, points), { id: rule.id, points, hasMore: copies > 1 });
                  }}
                >
                  Copy for these listings
                </Button>
              )}
            </li>
          );
        })}
      </ul>
    </Card>
  );
}
