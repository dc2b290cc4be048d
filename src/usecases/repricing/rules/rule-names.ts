import type { RuleRecord } from '#db/queries/repricing/rules.ts';
import { AppError } from '#usecases/app-error.ts';

/**
 * Files and users refer to rules by name, so no two of them may have the same one, ignoring case.
 * @param except the rule that is being saved; null for a new one
 * @throws AppError validation_failed at the field "name"
 */
export function requireFreeName(name: string, live: readonly RuleRecord[], except: number | null): void {
  const taken = live.some(({ id, rule }) => id !== except && nameKey(rule.name) === nameKey(name));
  if (!taken) return;
  const message = `Another rule is named "${name}"`;
  throw new AppError('validation_failed', `${message}. Give this one another name.`, {
    fields: { name: message },
  });
}

/** A name normalized for comparison. */
export function nameKey(name: string): string {
  return name.normalize('NFKC').trim().toUpperCase().toLowerCase();
}
