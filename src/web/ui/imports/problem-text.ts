/**
 * A mistake as a sentence: "productCost is not an amount". Problems that begin in lower case are said of their
 * column, or of the row where no column is to blame; others are sentences already.
 */
export function problemText({ column, problem }: { column: string | null; problem: string }): string {
  return /^[a-z]/.test(problem) ? `${column ?? 'the row'} ${problem}` : problem;
}
