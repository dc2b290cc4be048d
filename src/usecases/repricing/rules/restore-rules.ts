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
import { requireStepUpForLowerMargin } from './lower-margin.ts';
import { auditRules, type RuleDeps } from './rule-deps.ts';
import { nameKey } from './rule-names.ts';
import { ruleText } from './rule-view.ts';

/**
 * Restores deleted rules as they were, all or none.
 * @returns the rules that were deleted
 * @throws AppError conflict when another rule has the same name now; step_up_required when one of them is enabled with a
 *   lower minimum margin than all active rules
 */
export async function restoreRules(
  { db, now }: RuleDeps,
  ids: readonly number[],
  who: Editor,
  assurance: SessionAssurance,
): Promise<number[]> {
  const at = now();
  return transact(db, async (tx) => {
    await lockRules(tx);
    const live = await readRuleRecords(tx);
    const names = new Set(live.map(({ rule }) => nameKey(rule.name)));
    const deleted = (await readDeletedRules(tx)).filter(({ id }) => ids.includes(id));
    const taken = deleted.find(({ rule }) => names.has(nameKey(rule.name)));
    if (taken !== undefined) {
      const fix = 'Rename that one, then undo again.';
      throw new AppError('conflict', `Another rule is now named "${taken.rule.name}". ${fix}`);
    }
    const coming = deleted.filter(({ rule }) => rule.isActive);
    await requireStepUpForLowerMargin(tx, coming, live, assurance);
    const restored = await unmarkRulesDeleted(tx, ids, at);
    const acts = deleted.map(
      ({ id, rule }) => ({ action: 'rule.restored', id, before: null, after: ruleText(rule) }) as const,
    );
    await auditRules(tx, who, at, acts);
    return restored;
  });
}
