import type { z } from 'zod';
import type { ProblemGroup } from '#contract/imports.ts';
import { countOf, formatCount } from '#web/lib/format.ts';
import { problemText } from './problem-text.ts';

type Group = z.output<typeof ProblemGroup>;

/** The same mistake in many rows, once: how often, where first, and how to fix it. Rows that wait for others are last. */
export function ProblemGroups({ groups }: { groups: readonly Group[] }): React.JSX.Element | null {
  if (groups.length === 0) return null;
  const sorted = [...groups].sort(
    (one, other) => Number(one.isSecondary) - Number(other.isSecondary) || other.count - one.count,
  );
  return (
    <ul
      aria-label="Problems"
      className="flex flex-col divide-y rounded-lg border bg-surface *:px-4 in-[.shadow-card]:rounded-none in-[.shadow-card]:border-x-0 in-[.shadow-card]:*:px-0"
    >
      {sorted.map((group) => (
        <li key={`${group.column} ${group.problem} ${group.fix}`} className="py-3">
          <p>
            <strong className="font-semibold tabular-nums">{countOf(group.count, 'row', 'rows')}</strong>
            {': '}
            {problemText(group)}
          </p>
          <p className="text-sm text-fg-muted">
            {group.fix} {linesText(group)}
          </p>
        </li>
      ))}
    </ul>
  );
}

function linesText({ firstLines, count }: Group): string {
  const list = firstLines.map(formatCount).join(', ');
  const more = count > firstLines.length ? ' and more' : '';
  return `(${firstLines.length === 1 && more === '' ? 'line' : 'lines'} ${list}${more})`;
}
