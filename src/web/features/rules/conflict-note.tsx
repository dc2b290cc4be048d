import { TriangleAlert } from 'lucide-react';
import type { Precedence } from './rule-conflicts.ts';
import { competingRuleText } from './rule-text.ts';

type ConflictNoteProps = { precedence: Precedence };

/** Other rules that match the same listings, which one wins, and why. */
export function ConflictNote({ precedence }: ConflictNoteProps): React.JSX.Element {
  const { competing, isCrowdedOut } = precedence;
  if (competing.length === 0) {
    return <p className="text-sm text-fg-muted">No other active rule matches the same listings.</p>;
  }
  return (
    <div className="text-sm">
      {isCrowdedOut && (
        <p className="mb-1 flex items-start gap-1.5 font-medium text-warning-text">
          <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
          Other rules take precedence everywhere this rule matches. Only listings assigned to this rule use
          it.
        </p>
      )}
      <ul className="flex list-disc flex-col gap-0.5 pl-4 text-fg-muted">
        {competing.map((other) => (
          <li key={other.rule.id}>{competingRuleText(other)}</li>
        ))}
      </ul>
    </div>
  );
}
