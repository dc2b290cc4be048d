import type { Db } from '#db/client.ts';
import { readSettings } from '#db/queries/repricing/pricing-context.ts';
import type { RuleWrite } from '#db/queries/repricing/rules.ts';
import { type RefusedLine, refusedLine } from '#domain/lines/check-lines.ts';
import type { Line } from '#domain/lines/line.ts';
import { AppError } from '#usecases/app-error.ts';

/** Why a rule that is understood could never do what it says. */
export interface UnusableRule {
  /** A sentence without its end: "line 2 needs the learned price". */
  readonly problem: string;
  readonly fix: string;
}

/**
 * Finds a line that can never apply.
 * @param priceWarThreshold the number of cuts that makes a price war
 */
export function unusableIn(rule: RuleWrite, priceWarThreshold: number): UnusableRule | null {
  if (rule.lines === null) return null;
  const refused = refusedLine(rule.lines, rule, priceWarThreshold) ?? askedInVain(rule.lines);
  if (refused === null) return null;
  return { problem: `line ${refused.line} ${refused.problem}`, fix: refused.fix };
}

/**
 * Refuses a rule that is understood and could never do what it says.
 * @throws AppError validation_failed at the lines
 */
export async function requireUsableRule(db: Db, rule: RuleWrite): Promise<void> {
  const { priceWarThreshold } = await readSettings(db);
  const unusable = unusableIn(rule, priceWarThreshold);
  if (unusable === null) return;
  const { problem, fix } = unusable;
  const message = `${problem.charAt(0).toUpperCase()}${problem.slice(1)}. ${fix}`;
  throw new AppError('validation_failed', message, { fields: { lines: message } });
}

function askedInVain(lines: readonly Line[]): RefusedLine | null {
  const index = lines.findIndex((line, at) => asksToLearnInVain(line, at === lines.length - 1));
  if (index < 0) return null;
  return {
    line: index + 1,
    problem: 'needs the learned price, which is not known yet, so it would never move a price',
    fix: 'Name another price, or write a line below it that decides until the price is learned.',
  };
}

/** Unknown, a price passes on to the next line; the end of a raise keeps the price. */
function asksToLearnInVain({ action }: Line, isLast: boolean): boolean {
  if (action.kind === 'hold') return false;
  if (action.kind !== 'ask') return action.to?.kind === 'learned';
  return isLast && (action.target.kind === 'learned' || action.notUnder?.kind === 'learned');
}
