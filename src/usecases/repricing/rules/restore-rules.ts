import {
  lockRules,
  readDeletedRules,
  readRuleRecords,
  unmarkRulesDeleted,
} from '#db/queries/repricing/rules.ts';
import { transact } from '#db/transact.ts';
import { AppError } from '#usecases/app-error.ts';
import type { Editor } from '#usecases/editor.ts';
import type { SessionAssurance } from '#usecases/identity/accounts/session-assurance.ts';
import { requireProofOfLess } from './lower-margin.ts';
import { auditRules, type RuleDeps } from './rule-deps.ts';
import { nameKey } from './rule-names.ts';
import { ruleText } from './rule-view.ts';

/**
 * Brings deleted rules back as they were: all of them or none.
 * @returns the rules that were deleted
 * @throws AppError conflict when a rule of the same name was made meanwhile; step_up_required when one of them is
 *   enabled and asks for less margin than those in force
 */
export async function restoreRules(
  { db, now }: RuleDeps,
  ids: readonly number[],
  who: Editor,
  clearance: SessionAssurance,
): Promise<number[]> {
  const at = now();
  return transact(db, async (tx) => {
    await lockRules(tx);
    const live = await readRuleRecords(tx);
    const names = new Set(live.map(({ rule }) => nameKey(rule.name)));
    const gone = (await readDeletedRules(tx)).filter(({ id }) => ids.includes(id));
    const taken = gone.find(({ rule }) => names.has(nameKey(rule.name)));
    if (taken !== undefined) {
      const fix = 'Rename that one, then undo again.';
      throw new AppError('conflict', `Another rule is now named "${taken.rule.name}". ${fix}`);
    }
    const coming = gone.filter(({ rule }) => rule.isActive);
    await requireProofOfLess(tx, coming, live, clearance);
    const restored = await unmarkRulesDeleted(tx, ids, at);
    const acts = gone.map(
      ({ id, rule }) => ({ action: 'rule.restored', id, before: null, after: ruleText(rule) }) as const,
    );
    await auditRules(tx, who, at, acts);
    return restored;
  });
}
