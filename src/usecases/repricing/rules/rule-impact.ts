import type { RuleImpact } from '#contract/rules.ts';
import type { Db } from '#db/client.ts';
import { readRules, readSettings } from '#db/queries/repricing/pricing-context.ts';
import { readAlikeListings } from '#db/queries/repricing/rule-listings.ts';
import type { Rule } from '#domain/rules/rule.ts';
import { ruleIndex } from '#domain/rules/rule-choice.ts';
import { usedScope } from '#domain/rules/segment.ts';
import { shopTime } from '#domain/time/local-time.ts';
import type { Instant } from '#domain/units.ts';

/** Which listings change their rule, or lose it, when these rules are paused or deleted now. */
export async function ruleImpact(db: Db, ids: readonly number[], now: Instant): Promise<RuleImpact> {
  const leaving = new Set(ids.map(String));
  const rules = await readRules(db);
  const local = shopTime(now, (await readSettings(db)).timeZone);
  const byId = new Map(rules.map((rule) => [rule.id, rule]));
  const today = ruleIndex(rules, local);
  const later = ruleIndex(
    rules.filter(({ id }) => !leaving.has(id)),
    local,
  );
  const requested = usedScope(rules.map(({ segment }) => segment));
  const newRules = new Map<Rule | null, number>();
  let own = 0;
  let listings = 0;
  for (const { ownRuleId, listings: count, ...place } of await readAlikeListings(db, requested, now)) {
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
