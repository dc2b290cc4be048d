import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { countedCharge } from '#db/queries/catalog/counted-charge.ts';
import { allSoldIn30Days } from '#db/queries/catalog/listing-money.ts';
import { shopDay } from '#db/queries/catalog/shop-days.ts';
import { isoText, timestamptz } from '#db/sql-values.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import type { Instant } from '#domain/units.ts';
import { equalSales, HAS_MARGINS, MARGINS_OF_CHANGE } from './equal-sales.ts';

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
  /** A week at the sales of the last 30 days; null where no margin is known. */
  readonly equalSales: string | null;
  /** The number of changes whose margins are known: the others are not part of the sum. */
  readonly equalSalesOf: number;
  /** What sold at these prices so far. */
  readonly soldUnits: number;
  readonly soldProfit: string | null;
};

const NONE = sql`NULL`;

/**
 * Changes by runs in a period, grouped: hours and days the newest first, the others the largest first.
 * @param zone time zone of hours and days
 * @param most groups
 * @param now last of the 30 days of sales
 */
export async function readRunGroups(
  db: Db,
  by: RunGrouping,
  { since, until }: { readonly since: Instant; readonly until: Instant | undefined },
  zone: string,
  most: number,
  now: Instant,
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
      g.runs, g.changes, g.listings, g.up, g.down, round(g.equal, 2)::text AS "equalSales", g.known AS "equalSalesOf",
      coalesce(g.units, 0)::int AS "soldUnits", g.profit::text AS "soldProfit"
    FROM (
      SELECT ${key[by]} AS key, count(DISTINCT h.run_id)::int AS runs, count(*)::int AS changes,
        count(DISTINCT h.listing_id)::int AS listings, count(*) FILTER (WHERE h.new_price > h.old_price)::int AS up,
        count(*) FILTER (WHERE h.new_price < h.old_price)::int AS down,
        sum(${equalSales('change', sql.raw(countedCharge()), sql`recent.units`)}) AS equal,
        (count(*) FILTER (WHERE ${HAS_MARGINS}))::int AS known,
        sum(sold.units) AS units, sum(sold.profit) AS profit
      FROM price_history h JOIN listings l ON l.id = h.listing_id
        LEFT JOIN run_items i ON i.run_id = h.run_id AND i.listing_id = h.listing_id
        ${MARGINS_OF_CHANGE}
        ${allSoldIn30Days(now, sql`h.listing_id`)}
        LEFT JOIN (SELECT p.run_id, p.listing_id, sum(p.units) AS units, sum(p.profit) AS profit FROM profit_days p
          WHERE p.run_id IS NOT NULL AND p.day >= ${shopDay(iso(since))} GROUP BY 1, 2) sold
          ON sold.run_id = h.run_id AND sold.listing_id = h.listing_id
      WHERE h.run_id IS NOT NULL AND h.timestamp >= ${iso(since)}
        ${until === undefined ? sql`` : sql`AND h.timestamp < ${iso(until)}`}
      GROUP BY 1) g
    ${by === 'rule' ? sql`LEFT JOIN repricing_rules r ON r.id = g.key` : sql``}
    ORDER BY ${isTime ? sql`g.key DESC` : sql`g.changes DESC, g.key`} LIMIT ${most}`);
  return rows;
}
