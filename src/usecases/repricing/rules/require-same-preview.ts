import type { Db } from '#db/client.ts';
import { type RuleRecord, type RuleWrite, readRuleRecords } from '#db/queries/repricing/rules.ts';
import type { Instant } from '#domain/units.ts';
import { AppError } from '#usecases/app-error.ts';
import { previewRule } from './preview-rule.ts';

/**
 * Checks that a rule would still do what its preview showed. Before the save's transaction: going over the catalogue
 * takes seconds, in which no other rule should wait. Without a token, and for a rule that is saved paused, there is
 * nothing to hold it to.
 * @returns to be called with the live rules inside the transaction: refuses when they are not those it looked at
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
