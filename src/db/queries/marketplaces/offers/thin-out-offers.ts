import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import type { PERIOD_GRAINS } from '#db/schema/offers.ts';
import { timestamptz } from '#db/sql-values.ts';
import type { Instant } from '#domain/units.ts';

type Grain = (typeof PERIOD_GRAINS)[number];

/** What is aggregated to which grain, and the span of a listing's history per statement. */
const STEPS: Record<Grain, { readonly source: SQL; readonly id: SQL; readonly span: SQL }> = {
  hour: { source: sql`competitor_prices`, id: sql`t.id`, span: sql`interval '6 hours'` },
  day: { source: sql`competitor_price_periods`, id: sql`0`, span: sql`interval '2 days'` },
};

/** Result of one statement for a page of listings. */
export interface ThinnedPage {
  /** Rows that were aggregated. */
  readonly rows: number;
  /** The last listing of the page; null after the last page. */
  readonly last: number | null;
  /** The same page has more to aggregate. */
  readonly isMore: boolean;
}

/**
 * Aggregates recorded offers before a time, one row for each hour or day of UTC: single records to hours, deleting the
 * sets of offers behind them, or hours to days. The record valid at that time stays as it is, and so does the period
 * in which it started: each period is aggregated once, as a whole.
 * @param after listings with a higher ID
 * @param max listings of the page
 */
export async function thinOutOffers(
  db: Db,
  grain: Grain,
  before: Instant,
  after: number,
  max: number,
): Promise<ThinnedPage> {
  const { source, id, span } = STEPS[grain];
  const periodOf = (at: SQL) => sql`date_trunc(${grain}, ${at}, 'UTC')`;
  const isSource = grain === 'day' ? sql`AND t.grain = 'hour'` : sql``;
  const edge = (order: SQL) => sql`
    SELECT timestamp AS at FROM ${source} t
    WHERE t.listing_id = l.id AND t.marketplace = l.marketplace ${isSource}
      AND t.timestamp < ${timestamptz(before)}
    ORDER BY t.timestamp ${order} LIMIT 1`;
  const sets =
    grain === 'hour'
      ? sql`, sets AS (
        DELETE FROM offer_sets s USING bounds b WHERE s.listing_id = b.id AND s.recorded_at < b.upto)`
      : sql``;
  const { rows } = await db.execute<{ rows: number; last: number | null; isMore: boolean }>(sql`
    WITH page AS MATERIALIZED (
      SELECT id, marketplace FROM listings WHERE id > ${after} ORDER BY id LIMIT ${max}),
    bounds AS MATERIALIZED (
      SELECT l.id, l.marketplace, ${periodOf(sql`newest.at`)} AS until,
        least(${periodOf(sql`newest.at`)}, ${periodOf(sql`oldest.at`)} + ${span}) AS upto
      FROM page l CROSS JOIN LATERAL (${edge(sql`DESC NULLS LAST`)}) newest
      CROSS JOIN LATERAL (${edge(sql`ASC NULLS FIRST`)}) oldest
      WHERE oldest.at < ${periodOf(sql`newest.at`)})${sets},
    going AS (
      DELETE FROM ${source} t USING bounds b
      WHERE t.listing_id = b.id AND t.marketplace = b.marketplace ${isSource} AND t.timestamp < b.upto
      RETURNING ${id} AS id, t.listing_id, t.marketplace, t.timestamp, coalesce(t.last_seen_at, t.timestamp) AS seen,
        t.amazon_direct_price, t.walmart_direct_price, t.third_party_min_price, t.third_party_max_price,
        t.third_party_avg_price AS average, t.third_party_seller_count, t.buy_box_price, t.buy_box_seller),
    held AS (
      SELECT *, greatest(0.001, extract(epoch FROM coalesce(
          lead(timestamp) OVER (PARTITION BY listing_id, marketplace, period ORDER BY timestamp, id),
          period + ${`1 ${grain}`}::interval) - timestamp)) AS seconds
      FROM (SELECT *, ${periodOf(sql`timestamp`)} AS period FROM going) g),
    thinned AS (
      INSERT INTO competitor_price_periods (listing_id, marketplace, grain, timestamp, last_seen_at, amazon_direct_price,
        walmart_direct_price, third_party_min_price, third_party_max_price, third_party_avg_price,
        third_party_seller_count, buy_box_price, buy_box_seller)
      SELECT listing_id, marketplace, ${grain}, min(timestamp), max(seen), min(amazon_direct_price),
        min(walmart_direct_price), min(third_party_min_price), max(third_party_max_price),
        round(sum(average * seconds) / sum(seconds) FILTER (WHERE average IS NOT NULL), 2),
        max(third_party_seller_count), (array_agg(buy_box_price ORDER BY timestamp DESC, id DESC))[1],
        (array_agg(buy_box_seller ORDER BY timestamp DESC, id DESC))[1]
      FROM held GROUP BY listing_id, marketplace, period)
    SELECT (SELECT count(*)::int FROM going) AS rows, (SELECT max(id)::float8 FROM page) AS last,
      (SELECT coalesce(bool_or(upto < until), false) FROM bounds) AS "isMore"`);
  const [page] = rows;
  if (page === undefined) throw new Error('A statement without FROM answered no row.');
  return page;
}
