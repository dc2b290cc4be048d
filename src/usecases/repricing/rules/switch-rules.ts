import { lockRules, readRuleRecords, setRulesActive } from '#db/queries/repricing/rules.ts';
import { transact } from '#db/transact.ts';
import type { Editor } from '#usecases/editor.ts';
import type { SessionAssurance } from '#usecases/identity/accounts/session-assurance.ts';
import { requireProofOfLess } from './lower-margin.ts';
import { auditRules, type RuleDeps } from './rule-deps.ts';
import { requireSomeLive } from './rule-refusals.ts';

/**
 * Enables or pauses rules. The listings they are for are marked as due.
 * @returns the rules that were not so already; deleted ones are left alone
 * @throws AppError not_found when all of them are gone; step_up_required when one is enabled that asks for less margin
 *   than those in force
 */
export async function switchRules(
  { db, now }: RuleDeps,
  ids: readonly number[],
  isActive: boolean,
  who: Editor,
  clearance: SessionAssurance,
): Promise<number[]> {
  const at = now();
  return transact(db, async (tx) => {
    await lockRules(tx);
    const live = await readRuleRecords(tx);
    requireSomeLive(live, ids);
    const coming = live.filter(({ id, rule }) => isActive && !rule.isActive && ids.includes(id));
    await requireProofOfLess(tx, coming, live, clearance);
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
