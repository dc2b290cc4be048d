import type { RuleImpact } from '#contract/rules.ts';
import type { Db } from '#db/client.ts';
import { readRules } from '#db/queries/repricing/pricing-context.ts';
import { countPlaces } from '#db/queries/repricing/rule-listings.ts';
import type { Rule } from '#domain/rule.ts';
import { ruleBook } from '#domain/rule-choice.ts';

/** Which listings change their rule, or lose it, when these rules are paused or deleted. */
export async function ruleImpact(db: Db, ids: readonly number[]): Promise<RuleImpact> {
  const leaving = new Set(ids.map(String));
  const rules = await readRules(db);
  const byId = new Map(rules.map((rule) => [rule.id, rule]));
  const today = ruleBook(rules);
  const later = ruleBook(rules.filter(({ id }) => !leaving.has(id)));
  const newRules = new Map<Rule | null, number>();
  let own = 0;
  let listings = 0;
  for (const { ownRuleId, listings: count, ...place } of await countPlaces(db)) {
    const ownRule = ownRuleId === null ? null : (byId.get(String(ownRuleId)) ?? 'missing');
    const choice = today.choose({ ...place, ownRule });
    if (choice.minimumMargin === null || !leaving.has(choice.rule.id)) continue;
    listings += count;
    if (choice.kind === 'own') {
      own += count;
      continue;
    }
    const newRule = later.choose({ ...place, ownRule: null }).rule;
    newRules.set(newRule, (newRules.get(newRule) ?? 0) + count);
  }
  const rows = [...newRules].sort(([, a], [, b]) => b - a);
  return {
    listings,
    own,
    newRules: rows.map(([rule, count]) => ({
      rule: rule === null ? null : { id: rule.id, name: rule.name },
      listings: count,
    })),
  };
}
