import { lockRules, readRuleRecords, setRulesActive } from '#db/queries/repricing/rules.ts';
import { transact } from '#db/transact.ts';
import type { Editor } from '#usecases/editor.ts';
import type { SessionAssurance } from '#usecases/identity/accounts/session-assurance.ts';
import { requireStepUpForLowerMargin } from './lower-margin.ts';
import { auditRules, type RuleDeps } from './rule-deps.ts';
import { requireSomeLive } from './rule-refusals.ts';

/**
 * Enables or pauses rules. Their listings become due.
 * @returns the rules that changed; deleted ones are skipped
 * @throws AppError not_found when all of them are deleted; step_up_required when one is enabled with a lower minimum
 *   margin than all active rules
 */
export async function switchRules(
  { db, now }: RuleDeps,
  ids: readonly number[],
  isActive: boolean,
  who: Editor,
  assurance: SessionAssurance,
): Promise<number[]> {
  const at = now();
  return transact(db, async (tx) => {
    await lockRules(tx);
    const live = await readRuleRecords(tx);
    requireSomeLive(live, ids);
    const coming = live.filter(({ id, rule }) => isActive && !rule.isActive && ids.includes(id));
    await requireStepUpForLowerMargin(tx, coming, live, assurance);
    const changed = await setRulesActive(tx, ids, isActive, at);
    const action = isActive ? 'rule.enabled' : 'rule.disabled';
    const acts = changed.map((id) => ({
      ...({ action, id } as const),
      before: { isActive: !isActive },
      after: { isActive },
    }));
    await auditRules(tx, who, at, acts);
    return changed;
  });
}
