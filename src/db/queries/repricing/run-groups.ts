import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { isoText, timestamptz } from '#db/sql-values.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import type { Instant } from '#domain/units.ts';

export type RunGrouping = 'hour' | 'day' | 'marketplace' | 'rule';

/** Changes by runs in an hour, on a day, on a marketplace or by a rule; times ISO 8601. */
export type RunGroup = {
  readonly since: string | null;
  readonly until: string | null;
  readonly marketplace: Marketplace | null;
  readonly rule: { readonly id: string; readonly name: string } | null;
  readonly runs: number;
  readonly changes: number;
  readonly listings: number;
  readonly up: number;
  readonly down: number;
};

const NONE = sql`NULL`;

/**
 * Changes by runs in a period, grouped: hours and days the newest first, the others the largest first.
 * @param zone time zone of hours and days
 * @param most groups
 */
export async function readRunGroups(
  db: Db,
  by: RunGrouping,
  { since, until }: { readonly since: Instant; readonly until: Instant | undefined },
  zone: string,
  most: number,
): Promise<RunGroup[]> {
  const isTime = by === 'hour' || by === 'day';
  const key: Record<RunGrouping, SQL> = {
    hour: sql`date_trunc('hour', h.timestamp, ${zone}::text)`,
    day: sql`date_trunc('day', h.timestamp, ${zone}::text)`,
    marketplace: sql`l.marketplace`,
    rule: sql`h.rule_id`,
  };
  const end =
    by === 'day'
      ? sql`((g.key AT TIME ZONE ${zone}::text) + interval '1 day') AT TIME ZONE ${zone}::text`
      : sql`(g.key + interval '1 hour')`;
  const iso = (at: Instant): SQL => timestamptz(at);
  const { rows } = await db.execute<RunGroup>(sql`
    SELECT ${isTime ? isoText(sql`g.key`) : NONE} AS since, ${isTime ? isoText(end) : NONE} AS until,
      ${by === 'marketplace' ? sql`g.key` : NONE} AS marketplace,
      ${by === 'rule' ? sql`CASE WHEN r.id IS NOT NULL THEN json_build_object('id', r.id::text, 'name', r.name) END` : NONE} AS rule,
      g.runs, g.changes, g.listings, g.up, g.down
    FROM (
      SELECT ${key[by]} AS key, count(DISTINCT h.run_id)::int AS runs, count(*)::int AS changes,
        count(DISTINCT h.listing_id)::int AS listings, count(*) FILTER (WHERE h.new_price > h.old_price)::int AS up,
        count(*) FILTER (WHERE h.new_price < h.old_price)::int AS down
      FROM price_history h ${by === 'marketplace' ? sql`JOIN listings l ON l.id = h.listing_id` : sql``}
      WHERE h.run_id IS NOT NULL AND h.timestamp >= ${iso(since)}
        ${until === undefined ? sql`` : sql`AND h.timestamp < ${iso(until)}`}
      GROUP BY 1) g
    ${by === 'rule' ? sql`LEFT JOIN repricing_rules r ON r.id = g.key` : sql``}
    ORDER BY ${isTime ? sql`g.key DESC` : sql`g.changes DESC, g.key`} LIMIT ${most}`);
  return rows;
}
