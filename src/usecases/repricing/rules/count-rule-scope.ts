import type { CountRuleScope, RuleScopeCounts } from '#contract/rules.ts';
import type { Db } from '#db/client.ts';
import { readRules, readSettings } from '#db/queries/repricing/pricing-context.ts';
import { type AlikeListings, readAlikeListings } from '#db/queries/repricing/rule-listings.ts';
import type { RuleScope } from '#domain/rules/rule.ts';
import { rulePicker, scopeMatcher } from '#domain/rules/rule-choice.ts';
import { tiebreak } from '#domain/rules/rule-precedence.ts';
import { isInSchedule } from '#domain/rules/schedule.ts';
import { usedScope } from '#domain/rules/segment.ts';
import { shopTime } from '#domain/time/local-time.ts';
import type { Instant } from '#domain/units.ts';
import { ruleNotFound } from './rule-refusals.ts';
import { scopePlaceOf } from './rule-write.ts';

/** The part of a rule that is compared. */
interface ScopedRule extends RuleScope {
  readonly id: string | null;
  readonly name: string;
  readonly isActive: boolean;
}

type OtherRule = RuleScopeCounts['others'][number];

/**
 * How many listings the scope of a draft matches, how many of them it would price if it were active and its schedule
 * applied, and which rules price the others now. Reads only.
 * @throws AppError not_found
 */
export async function countRuleScope(
  db: Db,
  { id, rule }: CountRuleScope,
  now: Instant,
): Promise<RuleScopeCounts> {
  const stored: readonly ScopedRule[] = await readRules(db);
  if (id !== null && !stored.some((other) => other.id === id)) throw ruleNotFound();
  const local = shopTime(now, (await readSettings(db)).timeZone);
  const draft: ScopedRule = {
    id,
    name: '',
    fulfillmentType: rule.fulfillmentType,
    ...scopePlaceOf(rule.marketplace, rule.segment),
    priority: rule.priority,
    schedule: null,
    isActive: true,
    order: id === null ? Number.MAX_SAFE_INTEGER : Number(id),
  };
  const rules = [...stored.filter((other) => other.id !== id), draft];
  const pick = rulePicker(rules, local, (one) => one);
  const byId = new Map(rules.map((one) => [one.id, one]));
  const counts = { matching: 0, deciding: 0, own: 0 };
  const others = new Map<string, OtherRule>();
  const isMatch = scopeMatcher(draft);
  const requested = usedScope(rules.map(({ segment }) => segment));
  for (const group of await readAlikeListings(db, requested, now)) {
    const { listings } = group;
    if (!isMatch(group)) continue;
    counts.matching += listings;
    const winner = winnerOf(group, byId, pick);
    if (winner !== draft) {
      addOther(others, draft, group, winner);
      continue;
    }
    counts.deciding += listings;
    if (group.ownRuleId !== null) counts.own += listings;
  }
  return {
    ...counts,
    others: [...others.values()].sort(
      (a, b) => b.listings - a.listings || Number(a.rule?.id ?? 0) - Number(b.rule?.id ?? 0),
    ),
    appliesNow: isInSchedule(rule.schedule, local),
  };
}

/** The rule that prices these listings, or keeps their price because it is assigned; undefined: it was deleted. */
function winnerOf(
  group: AlikeListings,
  byId: ReadonlyMap<string | null, ScopedRule>,
  pick: (group: AlikeListings) => ScopedRule | null,
): ScopedRule | null | undefined {
  return group.ownRuleId === null ? pick(group) : byId.get(String(group.ownRuleId));
}

function addOther(
  others: Map<string, OtherRule>,
  draft: ScopedRule,
  { ownRuleId, listings }: AlikeListings,
  winner: ScopedRule | null | undefined,
): void {
  const because = ownRuleId === null && winner ? tiebreak(winner, draft) : 'assigned';
  const key = `${winner?.id ?? ''} ${because}`;
  const known = others.get(key)?.listings ?? 0;
  const rule = winner?.id == null ? null : { id: winner.id, name: winner.name };
  others.set(key, { rule, listings: known + listings, because });
}
