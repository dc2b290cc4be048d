import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import type { ListingKind } from '#domain/rule-precedence.ts';

/** Number of live listings of a rule. */
export interface RuleListings extends Record<string, unknown> {
  readonly ruleId: number;
  /** Listings that it prices now. */
  readonly appliedTo: number;
  /** Listings that it is assigned to. */
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

/** Live listings of one kind with the same assigned rule, or none. */
export interface PlaceCount extends ListingKind, Record<string, unknown> {
  /** Null: the most specific rule prices them. */
  readonly ownRuleId: number | null;
  readonly listings: number;
}

/** The whole catalog, grouped by what determines the rule. */
export async function countPlaces(db: Db): Promise<PlaceCount[]> {
  const { rows } = await db.execute<PlaceCount>(sql`
    SELECT marketplace, fulfillment_type AS "fulfillmentType", rule_id::float8 AS "ownRuleId",
      count(*)::float8 AS listings
    FROM listings WHERE deleted_at IS NULL GROUP BY marketplace, fulfillment_type, rule_id`);
  return rows;
}

/** Which listings a rule prices. */
export interface RuleReach {
  /** Kinds where it prices listings without an assigned rule. */
  readonly places: readonly ListingKind[];
  /** Its ID, if it can be assigned; null for a rule that is not stored. */
  readonly ruleId: number | null;
  /** Kinds where it prices listings that it is assigned to. */
  readonly ownPlaces: readonly ListingKind[];
}

/**
 * The next IDs of the listings a rule prices, ascending. As one array: reading tens of thousands of rows would take
 * longer
 * than finding the listings.
 * @param after the last ID of the previous part; 0 for the first
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
