import type { RuleEarnings } from '#contract/rules.ts';
import type { Db } from '#db/client.ts';
import { findFirstDayOfRule, keptDays, readSoldOfRuleListings } from '#db/queries/catalog/profit-sums.ts';
import { readToday } from '#db/queries/catalog/shop-days.ts';
import { findRuleName } from '#db/queries/repricing/rules.ts';
import { hours, type Instant } from '#domain/units.ts';
import { ruleNotFound } from './rule-refusals.ts';

/** A longer time has more of other changes than of the rule. */
const MAX_DAYS = 90;
const DAY = hours(24);

/**
 * What the listings of a rule sold since its first price, against as many days before.
 * @throws AppError not_found
 */
export async function ruleEarnings(db: Db, ruleId: number, now: Instant): Promise<RuleEarnings> {
  if ((await findRuleName(db, ruleId)) === null) throw ruleNotFound();
  const first = await findFirstDayOfRule(db, ruleId);
  if (first === null) return { firstDay: null, listings: 0, compared: null };
  const { day: firstDay, listings } = first;
  const yesterday = dayAfter(await readToday(db, now), -1);
  const kept = await keptDays(db);
  const daysBefore = kept === null ? 0 : daysFrom(kept.from, firstDay);
  const days = Math.min(daysFrom(firstDay, yesterday), daysBefore, MAX_DAYS);
  if (days < 1) return { firstDay, listings, compared: null };
  const sold = async (from: string, to: string) => ({
    ...(await readSoldOfRuleListings(db, ruleId, { from, to })),
    from,
    to,
  });
  const [since, before] = await Promise.all([
    sold(dayAfter(yesterday, 1 - days), yesterday),
    sold(dayAfter(firstDay, -days), dayAfter(firstDay, -1)),
  ]);
  return { firstDay, listings, compared: { days, since, before } };
}

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);
const dayAfter = (day: string, days: number): string => dayOf(Date.parse(day) + days * DAY);
const daysFrom = (day: string, other: string): number =>
  Math.round((Date.parse(other) - Date.parse(day)) / DAY);
