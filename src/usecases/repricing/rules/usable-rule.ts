import type { Db } from '#db/client.ts';
import { readSettings } from '#db/queries/repricing/pricing-context.ts';
import type { RuleWrite } from '#db/queries/repricing/rules.ts';
import { type RefusedLine, refusedLine } from '#domain/lines/check-lines.ts';
import type { Condition, Line } from '#domain/lines/line.ts';
import { conditionText } from '#domain/lines/print-lines.ts';
import { AppError } from '#usecases/app-error.ts';

/** What no store knows yet. Such a condition would never hold, and the seller would wait for its line in vain. */
const NEVER_KNOWN: ReadonlySet<Condition['kind']> = new Set(['stock_age', 'follow']);

/**
 * Refuses a rule that is understood and could never do what it says: a segment that no listing can match, or such lines.
 * @throws AppError validation_failed at the field
 */
export async function requireUsableRule(db: Db, rule: RuleWrite): Promise<void> {
  if (rule.segment.stockAgeDays !== null) {
    const message =
      'The age of the stock is not known here, so the rule would match no listing. Leave it blank.';
    throw new AppError('validation_failed', message, { fields: { 'segment.stockAgeDays': message } });
  }
  if (rule.lines === null) return;
  const { priceWarThreshold } = await readSettings(db);
  const refused = refusedLine(rule.lines, rule, priceWarThreshold) ?? askedInVain(rule.lines);
  if (refused === null) return;
  const message = `Line ${refused.line} ${refused.problem}. ${refused.fix}`;
  throw new AppError('validation_failed', message, { fields: { lines: message } });
}

function askedInVain(lines: readonly Line[]): RefusedLine | null {
  for (const [index, { when }] of lines.entries()) {
    const unknown = when.find(({ kind }) => NEVER_KNOWN.has(kind));
    if (unknown === undefined) continue;
    return {
      line: index + 1,
      problem: `asks for "${conditionText(unknown)}", which is not known here, so it would never apply`,
      fix: 'Remove that condition.',
    };
  }
  return null;
}
