import { sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import type { Instant } from '#domain/units.ts';
import { type ListingFilter, listingCondition } from './listing-filter.ts';

/** How many listings of a filter a rule prices now; null for those that none does. */
export interface RuleOfListings {
  readonly rule: { readonly id: string; readonly name: string } | null;
  readonly listings: number;
}

/** The rules that price the listings of a filter, by their last decisions, the most listings first. */
export async function countRulesOfListings(
  db: Db,
  filter: ListingFilter,
  now: Instant,
): Promise<RuleOfListings[]> {
  const { rows } = await db.execute<RuleOfListings & Record<string, unknown>>(sql`
    SELECT CASE WHEN r.id IS NOT NULL THEN json_build_object('id', r.id::text, 'name', r.name) END AS rule,
      sum(counted.listings)::int AS listings
    FROM (SELECT k.rule_id, count(*) AS listings FROM listing_keys k
      WHERE ${listingCondition(filter, now)} GROUP BY k.rule_id) counted
    LEFT JOIN repricing_rules r ON r.id = counted.rule_id AND r.deleted_at IS NULL
    GROUP BY r.id, r.name ORDER BY listings DESC, r.id`);
  return rows;
}
