import { and, asc, eq, inArray, isNotNull, isNull, ne, type SQL, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { repricingRuleMargins, repricingRules, repricingRuleTargets } from '#db/schema/rules.ts';
import { printLines } from '#domain/lines/print-lines.ts';
import { MARKETPLACES } from '#domain/marketplaces.ts';
import type { Rule } from '#domain/rules/rule.ts';
import type { Segment } from '#domain/rules/segment.ts';
import type { Instant } from '#domain/units.ts';
import { readRuleMargins, ruleOf } from './pricing-context.ts';

/** A rule with the extra columns of the rules list. */
export interface RuleRecord {
  readonly id: number;
  readonly rule: Rule;
  /** The stored text of lines that are not understood, such as those of a later release; null for all others. */
  readonly unreadLines: string | null;
  /** Rises with every edit. */
  readonly version: number;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

/** The fields of a rule that a user edits. */
export type RuleWrite = Omit<Rule, 'id' | 'order'>;

/** Rules that were not deleted, the oldest first. */
export async function readRuleRecords(db: Db): Promise<RuleRecord[]> {
  return recordsWhere(db, isNull(repricingRules.deletedAt));
}

/** Rules that were deleted, the oldest first. */
export async function readDeletedRules(db: Db): Promise<RuleRecord[]> {
  return recordsWhere(db, isNotNull(repricingRules.deletedAt));
}

async function recordsWhere(db: Db, condition: SQL | undefined): Promise<RuleRecord[]> {
  const rows = await db.select().from(repricingRules).where(condition).orderBy(asc(repricingRules.id));
  const { marginsOf, targetsOf } = await readRuleMargins(db);
  return rows.map((row) => {
    const { id, version, createdAt, updatedAt } = row;
    const rule = ruleOf(row, marginsOf(id), targetsOf(id));
    const unreadLines = rule.lines?.length === 0 ? row.lines : null;
    return { id, version, createdAt, updatedAt, rule, unreadLines };
  });
}

/** The name of a rule, even of a deleted one; null when it never existed. */
export async function findRuleName(db: Db, id: number): Promise<string | null> {
  const [row] = await db
    .select({ name: repricingRules.name })
    .from(repricingRules)
    .where(eq(repricingRules.id, id));
  return row?.name ?? null;
}

/** Locks rules against inserts and changes until the end of the transaction; reads continue. */
export async function lockRules(tx: Db): Promise<void> {
  await tx.execute(sql`LOCK TABLE ${repricingRules} IN SHARE ROW EXCLUSIVE MODE`);
}

/** Adds a rule with its margins. Needs a transaction. @returns its ID */
export async function insertRule(tx: Db, rule: RuleWrite, now: Instant): Promise<number> {
  const [row] = await tx
    .insert(repricingRules)
    .values({ ...columnsOf(rule), createdAt: now, updatedAt: now })
    .returning({ id: repricingRules.id });
  if (row === undefined) throw new Error('An insert answered no row.');
  await insertMargins(tx, row.id, rule);
  return row.id;
}

/** Replaces a rule with its margins and targets. Needs a transaction: only the UPDATE of the rule marks listings as due. */
export async function updateRule(tx: Db, id: number, rule: RuleWrite, now: Instant): Promise<void> {
  await tx.delete(repricingRuleMargins).where(eq(repricingRuleMargins.ruleId, id));
  await tx.delete(repricingRuleTargets).where(eq(repricingRuleTargets.ruleId, id));
  await insertMargins(tx, id, rule);
  await tx
    .update(repricingRules)
    .set({ ...columnsOf(rule), ...touched(now) })
    .where(eq(repricingRules.id, id));
}

/** Turns live rules on or off. @returns those that changed, the oldest first */
export async function setRulesActive(
  tx: Db,
  ids: readonly number[],
  isActive: boolean,
  now: Instant,
): Promise<number[]> {
  return changed(tx, ids, { isActive, ...touched(now) }, [
    isNull(repricingRules.deletedAt),
    ne(repricingRules.isActive, isActive),
  ]);
}

/** Deletes live rules; their rows stay. @returns those that changed, the oldest first */
export async function markRulesDeleted(tx: Db, ids: readonly number[], now: Instant): Promise<number[]> {
  return changed(tx, ids, { deletedAt: now, ...touched(now) }, [isNull(repricingRules.deletedAt)]);
}

/** Restores deleted rules. @returns those that changed, the oldest first */
export async function unmarkRulesDeleted(tx: Db, ids: readonly number[], now: Instant): Promise<number[]> {
  return changed(tx, ids, { deletedAt: null, ...touched(now) }, [isNotNull(repricingRules.deletedAt)]);
}

async function changed(
  tx: Db,
  ids: readonly number[],
  columns: Parameters<ReturnType<Db['update']>['set']>[0],
  conditions: readonly SQL[],
): Promise<number[]> {
  const rows = await tx
    .update(repricingRules)
    .set(columns)
    .where(and(inArray(repricingRules.id, [...ids]), ...conditions))
    .returning({ id: repricingRules.id });
  return rows.map(({ id }) => id).sort((a, b) => a - b);
}

function touched(now: Instant): { readonly version: SQL; readonly updatedAt: Instant } {
  return { version: sql`${repricingRules.version} + 1`, updatedAt: now };
}

async function insertMargins(
  tx: Db,
  ruleId: number,
  { marketplaceMargins, marketplaceTargets }: RuleWrite,
): Promise<void> {
  const rows = MARKETPLACES.flatMap((marketplace) => {
    const minimumMargin = marketplaceMargins[marketplace];
    return minimumMargin === undefined ? [] : [{ ruleId, marketplace, minimumMargin }];
  });
  if (rows.length > 0) await tx.insert(repricingRuleMargins).values(rows);
  const targets = MARKETPLACES.flatMap((marketplace) => {
    const targetMargin = marketplaceTargets[marketplace];
    return targetMargin === undefined ? [] : [{ ruleId, marketplace, targetMargin }];
  });
  if (targets.length > 0) await tx.insert(repricingRuleTargets).values(targets);
}

function columnsOf(rule: RuleWrite) {
  const { name, marketplace, fulfillmentType, strategy, minimumMargin, competitorOffset } = rule;
  const { isActive, requiresReview, noCompetitor, belowFloor, otherChannels, refuseCrossChannel, filter } =
    rule;
  const { lines, targetMargin, winShare, onlySameShipping, ignoreUnderFloor } = rule;
  return {
    name,
    marketplace,
    fulfillmentType,
    strategy,
    minimumMargin,
    competitorOffset,
    isActive,
    requiresReview,
    noCompetitor,
    belowFloor,
    otherChannels,
    refuseCrossChannel,
    filterMinRating: filter?.minRating ?? null,
    filterMinRatingCount: filter?.minRatingCount ?? null,
    filterMaxHandlingDays: filter?.maxHandlingDays ?? null,
    filterIgnoreSellers: [...(filter?.ignoreSellers ?? [])],
    filterFulfillmentType: filter?.fulfillmentType ?? null,
    lines: lines === null ? null : printLines(lines),
    targetMargin,
    winShare,
    onlySameShipping,
    ignoreUnderFloor,
    segment: setFields(rule.segment),
    priority: rule.priority,
    schedule: rule.schedule,
  };
}

/** Without the fields that are not set, so that those of a later release are not set in older rules. */
function setFields(segment: Segment): Partial<Segment> {
  const fields = Object.entries(segment).filter(([, value]) => value !== null && value.length !== 0);
  return Object.fromEntries(fields);
}
