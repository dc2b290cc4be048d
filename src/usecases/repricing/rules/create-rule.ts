import type { CreateRule } from '#contract/rules.ts';
import { insertRule, lockRules, type RuleRecord, readRuleRecords } from '#db/queries/repricing/rules.ts';
import { transact } from '#db/transact.ts';
import type { Editor } from '#usecases/editor.ts';
import { requireStepUpForLowerMargin } from './lower-margin.ts';
import { type RuleSaver, requireSamePreview } from './require-same-preview.ts';
import { auditRules, type RuleDeps } from './rule-deps.ts';
import { requireFreeName } from './rule-names.ts';
import { ruleText } from './rule-view.ts';
import { ruleWriteOf } from './rule-write.ts';
import { requireUsableRule } from './usable-rule.ts';

/**
 * Adds a rule. The listings it prices become due.
 * @throws AppError validation_failed when the name is in use or a line is refused; conflict when the result differs from the preview;
 *   step_up_required when its minimum margin is lower than that of all active rules
 */
export async function createRule(
  { db, now }: RuleDeps,
  { previewToken, ...fields }: CreateRule,
  who: Editor,
  assurance: RuleSaver,
): Promise<RuleRecord> {
  const at = now();
  const rule = ruleWriteOf(fields);
  await requireUsableRule(db, rule);
  const previewed = await requireSamePreview(db, null, rule, previewToken, at, assurance);
  return transact(db, async (tx) => {
    await lockRules(tx);
    const live = await readRuleRecords(tx);
    await requireStepUpForLowerMargin(tx, [{ id: null, rule }], live, assurance);
    requireFreeName(rule.name, live, null);
    previewed.requireSame(live);
    const id = await insertRule(tx, rule, at);
    await auditRules(tx, who, at, [{ action: 'rule.created', id, before: null, after: ruleText(rule) }]);
    await previewed.recordReview(tx, id, who);
    const stored = { ...rule, id: String(id), order: id };
    return { id, version: 1, createdAt: at, updatedAt: at, rule: stored, unreadLines: null };
  });
}
