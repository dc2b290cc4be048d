import type { LinesProblem } from './text-reader.ts';

/** The most words that an answer lists. */
const MAX_POSSIBLE = 12;

/** Why the text of the lines of a rule is refused, as a sentence without its end: `line 2, "abov": is not understood there`. */
export function linesProblemText({ line, found, why }: LinesProblem): string {
  const what = found === '' ? 'the end' : JSON.stringify(found);
  return `line ${line}, ${what}: ${why ?? 'is not valid here'}`;
}

/**
 * The whole problem for someone who sees the text: "Line 2, character 9, "abov": is not understood there. Possible there: above."
 * @param text what was read
 */
export function linesProblemMessage(problem: LinesProblem, text: string): string {
  const before = text.slice(0, problem.at);
  const start = Math.max(before.lastIndexOf('\n'), before.lastIndexOf(';')) + 1;
  const [, rest = ''] = /^line \d+(.*)$/s.exec(linesProblemText(problem)) ?? [];
  return `Line ${problem.line}, character ${before.length - start + 1}${rest}. ${linesProblemFix(problem)}`;
}

/** What could stand there instead, as whole sentences. */
export function linesProblemFix({ possible }: LinesProblem): string {
  if (possible.length === 0) return 'Correct the line.';
  const listed = possible.slice(0, MAX_POSSIBLE);
  const more = possible.length > MAX_POSSIBLE ? ', ...' : '';
  return `Valid here: ${listed.join(', ')}${more}.`;
}
