import type { RuleRecord } from '#db/queries/repricing/rules.ts';
import { AppError } from '#usecases/app-error.ts';

/** For an ID without a rule. */
export function ruleNotFound(): AppError {
  return new AppError('not_found', 'This rule no longer exists. It may have been deleted.');
}

/** @throws AppError not_found when none of these rules exists */
export function requireSomeLive(live: readonly RuleRecord[], ids: readonly number[]): void {
  if (!live.some(({ id }) => ids.includes(id))) throw ruleNotFound();
}

/** For a save that is based on an older version of the rule. */
export function savedSince(change: string): AppError {
  const message = `This rule was changed after you opened it${change}.`;
  const fix = 'Your changes were not saved. Load the saved rule, then apply them again.';
  return new AppError('conflict', `${message} ${fix}`, { fields: { version: message } });
}
