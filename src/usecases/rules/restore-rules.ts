import { lockRules, readDeletedRules, readRuleRecords, unmarkRulesDeleted } from '#db/queries/rules.ts';
import { AppError } from '#usecases/app-error.ts';
import type { Editor } from '#usecases/editor.ts';
import { auditRules, type RuleDeps } from './rule-deps.ts';
import { nameKey } from './rule-names.ts';
import { ruleText } from './rule-view.ts';

/**
 * Brings deleted rules back as they were: all of them or none.
 * @returns the rules that were deleted
 * @throws AppError conflict when a rule of the same name was made meanwhile
 */
export async function restoreRules(
  { db, now }: RuleDeps,
  ids: readonly number[],
  who: Editor,
): Promise<number[]> {
  const at = now();
  return db.transaction(async (tx) => {
    await lockRules(tx);
    const live = new Set((await readRuleRecords(tx)).map(({ rule }) => nameKey(rule.name)));
    const gone = await readDeletedRules(tx, ids);
    const taken = gone.find(({ rule }) => live.has(nameKey(rule.name)));
    if (taken !== undefined) {
      const fix = 'Rename that one, then undo again.';
      throw new AppError('conflict', `There is another rule called "${taken.rule.name}" now. ${fix}`);
    }
    const restored = await unmarkRulesDeleted(tx, ids, at);
    const acts = gone.map(
      ({ id, rule }) => ({ action: 'rule.restored', id, before: null, after: ruleText(rule) }) as const,
    );
    await auditRules(tx, who, at, acts);
    return restored;
  });
}
