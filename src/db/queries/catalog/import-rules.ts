import { sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { timestamptz } from '#db/sql-values.ts';
import type { Instant } from '#domain/units.ts';
import { rowsTable, type TextRow } from './import-rows.ts';

const TYPES = {
  id: 'bigint',
  name: 'text',
  marketplace: 'text',
  fulfillmentType: 'text',
  strategy: 'text',
  minimumMargin: 'numeric',
  competitorOffset: 'numeric',
  isActive: 'boolean',
  noCompetitor: 'text',
  belowFloor: 'text',
  askFirst: 'boolean',
  refuseCrossChannel: 'boolean',
} as const;

/** A minimum margin of a rule on one marketplace. */
export interface RuleMargin {
  readonly ruleId: string;
  readonly marketplace: string;
  readonly margin: string;
}

/** Every rule that is not deleted, every value as text. */
export async function listRuleTexts(db: Db, lock: boolean): Promise<TextRow[]> {
  const { rows } = await db.execute<Record<string, string | null>>(sql`
    SELECT id::text, name, marketplace, fulfillment_type AS "fulfillmentType", strategy,
      minimum_margin::text AS "minimumMargin", competitor_offset::text AS "competitorOffset",
      is_active::text AS "isActive", no_competitor AS "noCompetitor", below_floor AS "belowFloor",
      requires_review::text AS "askFirst", refuse_cross_channel::text AS "refuseCrossChannel"
    FROM repricing_rules WHERE deleted_at IS NULL ORDER BY id ${lock ? sql`FOR UPDATE` : sql``}`);
  return rows;
}

export async function listRuleMargins(db: Db): Promise<RuleMargin[]> {
  const { rows } = await db.execute<{ ruleId: string; marketplace: string; margin: string }>(sql`
    SELECT rule_id::text AS "ruleId", marketplace, minimum_margin::text AS margin FROM repricing_rule_margins`);
  return rows;
}

/** Adds rules in the order given, the first being the oldest. @returns their IDs by name; the names differ */
export async function insertRules(
  db: Db,
  rows: readonly TextRow[],
  now: Instant,
): Promise<Map<string, string>> {
  if (rows.length === 0) return new Map();
  const at = timestamptz(now);
  const { rows: added } = await db.execute<{ id: string; name: string }>(sql`
    INSERT INTO repricing_rules (name, marketplace, fulfillment_type, strategy, minimum_margin, competitor_offset,
      is_active, no_competitor, below_floor, requires_review, refuse_cross_channel, created_at, updated_at)
    SELECT name, marketplace, "fulfillmentType", strategy, "minimumMargin", "competitorOffset", "isActive",
      coalesce("noCompetitor", 'keep'), coalesce("belowFloor", 'floor'), coalesce("askFirst", false),
      coalesce("refuseCrossChannel", false), ${at}, ${at}
    FROM ${rowsTable('r', TYPES, rows)} RETURNING id::text, name`);
  return new Map(added.map(({ id, name }) => [name, id]));
}

/** Updates stored rules. The update marks the listings that they price as due. */
export async function updateRules(db: Db, rows: readonly TextRow[], now: Instant): Promise<void> {
  if (rows.length === 0) return;
  await db.execute(sql`
    UPDATE repricing_rules u SET marketplace = r.marketplace, fulfillment_type = r."fulfillmentType",
      strategy = r.strategy, minimum_margin = r."minimumMargin", competitor_offset = r."competitorOffset",
      is_active = r."isActive", no_competitor = r."noCompetitor", below_floor = r."belowFloor",
      requires_review = r."askFirst", refuse_cross_channel = r."refuseCrossChannel", version = version + 1, updated_at = ${timestamptz(now)}
    FROM ${rowsTable('r', TYPES, rows)} WHERE u.id = r.id`);
}

/** Replaces the margins of these rules. */
export async function replaceRuleMargins(
  db: Db,
  ruleIds: readonly string[],
  margins: readonly RuleMargin[],
): Promise<void> {
  if (ruleIds.length === 0) return;
  await db.execute(
    sql`DELETE FROM repricing_rule_margins WHERE rule_id = ANY(${sql.param(ruleIds)}::text[]::bigint[])`,
  );
  if (margins.length === 0) return;
  const table = rowsTable(
    'r',
    { ruleId: 'bigint', marketplace: 'text', margin: 'numeric' },
    margins.map((margin) => ({ ...margin })),
  );
  await db.execute(sql`
    INSERT INTO repricing_rule_margins (rule_id, marketplace, minimum_margin)
    SELECT "ruleId", marketplace, margin FROM ${table}`);
}
