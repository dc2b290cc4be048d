import type { Import } from '#contract/imports.ts';
import { problemText } from './problem-text.ts';

const MOST_SHOWN = 3;

/** "Line 4: productCost is not an amount; Line 9: Missing required fields; ..." */
export function firstProblems({ problems, counts }: Pick<Import, 'problems' | 'counts'>): string {
  const lines = problems
    .flatMap((group) => group.firstLines.map((line) => ({ line, problem: problemText(group) })))
    .sort((one, other) => one.line - other.line)
    .slice(0, MOST_SHOWN)
    .map(({ line, problem }) => `Line ${line}: ${problem}`);
  const total = Math.max(
    counts?.rejected ?? 0,
    problems.reduce((sum, { count }) => sum + count, 0),
  );
  return [...lines, ...(total > lines.length ? ['...'] : [])].join('; ');
}
