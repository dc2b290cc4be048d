import type { RuleImpact } from '#contract/rules.ts';
import { lockRules, markRulesDeleted, readRuleRecords } from '#db/queries/repricing/rules.ts';
import { transact } from '#db/transact.ts';
import type { Editor } from '#usecases/editor.ts';
import { auditRules, type RuleDeps } from './rule-deps.ts';
import { ruleImpact } from './rule-impact.ts';
import { requireSomeLive } from './rule-refusals.ts';
import { ruleText } from './rule-view.ts';

/**
 * Deletes rules; they can be restored. Listings assigned to one of them keep their price.
 * @returns the rules that were not deleted already, and the affected listings
 * @throws AppError not_found when all of them are deleted already
 */
export async function deleteRules(
  { db, now }: RuleDeps,
  ids: readonly number[],
  who: Editor,
): Promise<{ readonly ids: readonly number[]; readonly impact: RuleImpact }> {
  const at = now();
  return transact(db, async (tx) => {
    await lockRules(tx);
    const live = await readRuleRecords(tx);
    requireSomeLive(live, ids);
    const records = new Map(live.map((record) => [record.id, record]));
    const impact = await ruleImpact(tx, ids, at);
    const deleted = await markRulesDeleted(tx, ids, at);
    const acts = deleted.map((id) => {
      const record = records.get(id);
      const before = record === undefined ? null : ruleText(record.rule);
      return { action: 'rule.deleted', id, before, after: null } as const;
    });
    await auditRules(tx, who, at, acts);
    return { ids: deleted, impact };
  });
}
