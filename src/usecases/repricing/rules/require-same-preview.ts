import type { Db } from '#db/client.ts';
import { type RuleRecord, type RuleWrite, readRuleRecords } from '#db/queries/repricing/rules.ts';
import type { Instant } from '#domain/units.ts';
import { AppError } from '#usecases/app-error.ts';
import { previewRule } from './preview-rule.ts';

/**
 * Checks that a rule's result is still the one its preview showed. Runs before the save's transaction: it scans the catalog
 * for seconds, during which saving other rules must not wait. Skipped without a token and for a rule that is saved paused.
 * @returns a check to call with the current rules inside the transaction; it rejects the save when they have changed
 * @throws AppError conflict
 */
export async function requireSamePreview(
  db: Db,
  id: number | null,
  rule: RuleWrite,
  token: string | undefined,
  now: Instant,
): Promise<(live: readonly RuleRecord[]) => void> {
  if (token === undefined || !rule.isActive) return () => undefined;
  const stamp = stampOf(await readRuleRecords(db));
  const preview = await previewRule(db, id, rule, now);
  if (preview.token !== token) throw doesSomethingElse();
  return (live) => {
    if (stampOf(live) !== stamp) throw doesSomethingElse();
  };
}

function stampOf(live: readonly RuleRecord[]): string {
  return live.map(({ id, version }) => `${id}:${version}`).join(' ');
}

function doesSomethingElse(): AppError {
  const message = 'Prices, costs or offers changed after your preview.';
  return new AppError('conflict', `${message} Preview again, then save.`, {
    fields: { previewToken: message },
  });
}
