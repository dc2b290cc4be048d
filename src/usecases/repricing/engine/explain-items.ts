import type { RunItemRow } from '#db/queries/repricing/run-views.ts';
import { explain } from '#domain/explain.ts';
import { readStoredCase } from '#domain/stored-case.ts';

/** A decision of a run in words. */
export type ToldItem = Omit<RunItemRow, 'outcome'> & {
  readonly outcome: 'change' | 'recommend' | 'blocked';
  readonly reason: string;
  readonly ruleName: string;
};

/** Says why each listing was decided as it was, replayed from the facts of that moment. */
export function explainItems(rows: readonly RunItemRow[]): ToldItem[] {
  return rows.flatMap((row) => {
    const { outcome } = row;
    // Runs keep no item for a price that stays.
    return outcome === 'keep' ? [] : [{ ...row, outcome, ...wordsOf(row) }];
  });
}

function wordsOf({ facts, reasonCode }: RunItemRow): { reason: string; ruleName: string } {
  const stored = readStoredCase(facts);
  // A row of an older form is shown with its code rather than not at all.
  if (stored === null) return { reason: reasonCode, ruleName: '' };
  const { sentence } = explain(stored.facts, stored.choice, stored.policy);
  return { reason: sentence, ruleName: stored.choice.rule?.name ?? '' };
}
