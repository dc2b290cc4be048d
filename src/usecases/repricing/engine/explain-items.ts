import type { RunItemRow } from '#db/queries/repricing/run-views.ts';
import { explain } from '#domain/decision/explain.ts';
import { readStoredCase } from '#domain/decision/stored-case.ts';
import type { Situation } from '#domain/lines/line.ts';
import { ownLineOf } from '#usecases/repricing/pricing/metrics-of.ts';

/** A decision of a run with its reason as a sentence. */
export type ExplainedItem<Row extends RunItemRow = RunItemRow> = Omit<Row, 'outcome'> & {
  readonly outcome: 'change' | 'recommend' | 'blocked';
  readonly reason: string;
  readonly ruleName: string;
} & DecidedBy;

/** The line of the named rule that decided and what it saw; null where a strategy, or the rule of another listing, decided. */
interface DecidedBy {
  readonly line: number | null;
  readonly situation: Situation | null;
}

/** Explains each decision by replaying it from its stored facts. */
export function explainItems<Row extends RunItemRow>(rows: readonly Row[]): ExplainedItem<Row>[] {
  return rows.flatMap((row) => {
    const { outcome } = row;
    // Runs store no item for an unchanged price.
    return outcome === 'keep' ? [] : [{ ...row, outcome, ...explanationOf(row) }];
  });
}

function explanationOf({ facts, reasonCode }: RunItemRow): { reason: string; ruleName: string } & DecidedBy {
  const stored = readStoredCase(facts);
  // A row in an older format shows its reason code.
  if (stored === null) return { reason: reasonCode, ruleName: '', line: null, situation: null };
  const { sentence, decision } = explain(stored.facts, stored.choice, stored.policy);
  const { number: line = null, situation = null } = ownLineOf(stored, decision) ?? {};
  return { reason: sentence, ruleName: stored.choice.rule?.name ?? '', line, situation };
}
