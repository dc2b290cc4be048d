import type { Import } from '#contract/imports.ts';

/**
 * A mistake as a sentence: "productCost is not an amount". Problems that begin in lower case are said of their
 * column, or of the row where no column is to blame; others are sentences already.
 */
export function problemText({ column, problem }: { column: string | null; problem: string }): string {
  return /^[a-z]/.test(problem) ? `${column ?? 'the row'} ${problem}` : problem;
}

const MAX_SHOWN = 3;

/**
 * The first mistakes in the order of the file, and dots for more: "Line 4: productCost is not an amount; Line 9: Missing
 * required fields; ...". Rows that only wait for others to be corrected are not among them.
 */
export function firstProblems({ problems }: Pick<Import, 'problems'>): string {
  const mistakes = problems.filter(({ isSecondary }) => !isSecondary);
  const lines = mistakes
    .flatMap((group) => group.firstLines.map((line) => ({ line, problem: problemText(group) })))
    .sort((one, other) => one.line - other.line)
    .slice(0, MAX_SHOWN)
    .map(({ line, problem }) => `Line ${line}: ${problem}`);
  const total = mistakes.reduce((sum, { count }) => sum + count, 0);
  return [...lines, ...(total > lines.length ? ['...'] : [])].join('; ');
}
