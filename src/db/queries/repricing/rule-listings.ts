import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import type { ListingKind } from '#domain/rule-precedence.ts';

/** How many live listings a rule has. */
export interface RuleListings extends Record<string, unknown> {
  readonly ruleId: number;
  /** It decides them now. */
  readonly appliedTo: number;
  /** They name it as their own. */
  readonly own: number;
}

/** Counts of every rule that has a listing. */
export async function countRuleListings(db: Db): Promise<RuleListings[]> {
  const { rows } = await db.execute<RuleListings>(sql`
    SELECT rule_id::float8 AS "ruleId", sum(applied)::float8 AS "appliedTo", sum(own)::float8 AS own FROM (
      SELECT m.rule_id, count(*) AS applied, 0 AS own FROM listing_metrics m
      JOIN listings l ON l.id = m.listing_id AND l.deleted_at IS NULL
      WHERE m.rule_id IS NOT NULL GROUP BY m.rule_id
      UNION ALL
      SELECT rule_id, 0, count(*) FROM listings WHERE rule_id IS NOT NULL AND deleted_at IS NULL GROUP BY rule_id
    ) counts GROUP BY rule_id`);
  return rows;
}

/** Live listings of one kind that name the same rule as their own, or none. */
export interface PlaceCount extends ListingKind, Record<string, unknown> {
  /** Null: they leave it to the most specific rule. */
  readonly ownRuleId: number | null;
  readonly listings: number;
}

/** The whole catalogue by what decides which rule applies. */
export async function countPlaces(db: Db): Promise<PlaceCount[]> {
  const { rows } = await db.execute<PlaceCount>(sql`
    SELECT marketplace, fulfillment_type AS "fulfillmentType", rule_id::float8 AS "ownRuleId",
      count(*)::float8 AS listings
    FROM listings WHERE deleted_at IS NULL GROUP BY marketplace, fulfillment_type, rule_id`);
  return rows;
}

/** Which listings a rule decides. */
export interface RuleReach {
  /** Where it decides those that name no rule. */
  readonly places: readonly ListingKind[];
  /** Its number, when listings can name it; null for a rule that is not stored. */
  readonly ruleId: number | null;
  /** Where it decides those that name it. */
  readonly ownPlaces: readonly ListingKind[];
}

/**
 * The next ids of the listings a rule decides, rising. As one array: tens of thousands of rows would cost more to read
 * than the listings to find.
 * @param after the last id of the part before; 0 for the first
 */
export async function readReachedIds(
  db: Db,
  reach: RuleReach,
  after: number,
  limit: number,
): Promise<number[]> {
  const { rows } = await db.execute<{ ids: number[] | null }>(sql`
    SELECT array_agg(id::float8 ORDER BY id) AS ids FROM (
      SELECT id FROM listings
      WHERE deleted_at IS NULL AND id > ${after} AND (
        (rule_id IS NULL AND marketplace || ' ' || fulfillment_type = ANY(${keysOf(reach.places)}::text[]))
        OR (rule_id = ${reach.ruleId}::bigint
          AND marketplace || ' ' || fulfillment_type = ANY(${keysOf(reach.ownPlaces)}::text[])))
      ORDER BY id LIMIT ${limit}) part`);
  return rows[0]?.ids ?? [];
}

function keysOf(places: readonly ListingKind[]): SQL {
  return sql`${sql.param(places.map(({ marketplace, fulfillmentType }) => `${marketplace} ${fulfillmentType}`))}`;
}
