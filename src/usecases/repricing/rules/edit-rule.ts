import type { EditRule } from '#contract/rules.ts';
import { lockRules, type RuleRecord, readRuleRecords, updateRule } from '#db/queries/repricing/rules.ts';
import { transact } from '#db/transact.ts';
import type { Editor } from '#usecases/editor.ts';
import { requireStepUp } from '#usecases/identity/accounts/session-assurance.ts';
import { lastChangeText } from '#usecases/last-change.ts';
import { lowersMargin, requireStepUpForLowerMargin } from './lower-margin.ts';
import { type RuleSaver, requireSamePreview } from './require-same-preview.ts';
import { auditRules, type RuleDeps } from './rule-deps.ts';
import { requireFreeName } from './rule-names.ts';
import { ruleNotFound, savedSince } from './rule-refusals.ts';
import { ruleText } from './rule-view.ts';
import { ruleWriteOf } from './rule-write.ts';
import { requireUsableRule } from './usable-rule.ts';

/**
 * Replaces a rule. The listings it priced, and those it prices now, become due.
 * @throws AppError not_found; validation_failed when the name is in use or a line is refused; conflict when the rule was changed after it was
 *   loaded, or the result differs from the preview; step_up_required when its minimum margin is lower than before, or it
 *   is enabled with a lower one than all active rules
 */
export async function editRule(
  { db, now }: RuleDeps,
  id: number,
  { previewToken, version, ...fields }: EditRule,
  who: Editor,
  assurance: RuleSaver,
): Promise<RuleRecord> {
  const at = now();
  const rule = ruleWriteOf(fields);
  await requireUsableRule(db, rule);
  const previewed = await requireSamePreview(db, id, rule, previewToken, at, assurance);
  return transact(db, async (tx) => {
    await lockRules(tx);
    const live = await readRuleRecords(tx);
    const before = live.find((record) => record.id === id);
    if (before === undefined) throw ruleNotFound();
    if (before.version !== version)
      throw savedSince(await lastChangeText(tx, { ...before, kind: 'rule' }, at));
    if (lowersMargin(rule, [before.rule])) requireStepUp(assurance);
    if (rule.isActive && !before.rule.isActive)
      await requireStepUpForLowerMargin(tx, [{ id, rule }], live, assurance);
    requireFreeName(rule.name, live, id);
    previewed.requireSame(live);
    await updateRule(tx, id, rule, at);
    await auditRules(tx, who, at, [
      { action: 'rule.edited', id, before: ruleText(before.rule), after: ruleText(rule) },
    ]);
    await previewed.recordReview(tx, id, who);
    const stored = { ...rule, id: String(id), order: id };
    return { ...before, rule: stored, unreadLines: null, version: version + 1, updatedAt: at };
  });
}
