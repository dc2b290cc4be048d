import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { MARGINS_OF_CHANGE } from '#db/queries/repricing/equal-sales.ts';
import { OURS, REPRICED } from '#db/queries/repricing/history-filter.ts';
import { isoTime, timestamptz } from '#db/sql-values.ts';
import { MARGIN_FILTERS, type MarginFilter } from '#domain/costs/margin-bands.ts';
import type { DayStart } from '#domain/time/day-span.ts';
import { hours, type Instant, instant } from '#domain/units.ts';
import { countedCharge } from './counted-charge.ts';
import { marginCondition } from './listing-filter.ts';

/** Distribution of margins, and the effect of the margin floor. */
export type MarginFigures = {
  /** In the order of the bands; unknown margins last. */
  readonly bands: { readonly band: MarginFilter; readonly count: number }[];
  /** Price changes of the last seven days whose decision was limited by the margin floor. */
  readonly heldAtFloor: number;
  /** Sum of the new prices less the price that would match the competitor, where that is lower; a decimal string. */
  readonly savedByFloor: string;
};

const WEEK = hours(7 * 24);

/** Counts in one statement, each with the condition of the list it links to. */
export async function readMarginDistribution(db: Db, now: Instant): Promise<MarginFigures> {
  const weekAgo = isoTime(now - WEEK);
  const counts = MARGIN_FILTERS.map(
    (band) =>
      sql`json_build_object('band', ${band}::text, 'count', count(*) FILTER (WHERE ${marginCondition(band)}))`,
  );
  const { rows } = await db.execute<MarginFigures>(sql`
    SELECT * FROM (SELECT json_build_array(${sql.join(counts, sql`, `)}) AS bands FROM listing_keys k WHERE k.is_live) bands,
    (SELECT count(*)::int AS "heldAtFloor",
        coalesce(sum(greatest(0, h.new_price - i.reference)), 0)::numeric(20, 2) AS "savedByFloor"
      FROM price_history h JOIN run_items i ON i.run_id = h.run_id AND i.listing_id = h.listing_id
      WHERE h.timestamp > ${weekAgo}::timestamptz AND i.binding_limit = 'floor') held`);
  const [row] = rows;
  if (!row) throw new Error('A count answered no row.');
  return row;
}

/** The price changes of one day. */
export interface PriceDay {
  readonly day: string;
  readonly raised: number;
  readonly lowered: number;
}

/**
 * How many of our own price changes went up and down on each day.
 * @param days ascending, each ending where the next starts; the last one ends at `now`
 */
export async function readPriceDays(db: Db, days: readonly DayStart[], now: Instant): Promise<PriceDay[]> {
  const starts = days.map(({ start }) => isoTime(start));
  const { rows } = await db.execute<{ bucket: number; raised: number; lowered: number }>(sql`
    SELECT width_bucket(h.timestamp, ${sql.param(starts)}::timestamptz[]) AS bucket,
      (count(*) FILTER (WHERE h.new_price > h.old_price))::int AS raised,
      (count(*) FILTER (WHERE h.new_price < h.old_price))::int AS lowered
    FROM price_history h
    WHERE ${OURS} AND h.timestamp >= ${starts[0] ?? null}::timestamptz
      AND h.timestamp <= ${timestamptz(now)}
    GROUP BY bucket`);
  const counted = new Map(rows.map((row) => [row.bucket, row]));
  return days.map(({ day }, index) => {
    const { raised = 0, lowered = 0 } = counted.get(index + 1) ?? {};
    return { day, raised, lowered };
  });
}

/** How often buy boxes were checked on a day of UTC, and how often they were ours. */
export interface BuyBoxDay {
  readonly checks: number;
  readonly wins: number;
}

/** The buy boxes of all listings that are not deleted, by day. Days without a check are skipped. @param from and to as "2026-11-21" */
export async function readBuyBoxDays(
  db: Db,
  from: string,
  to: string,
): Promise<ReadonlyMap<string, BuyBoxDay>> {
  const { rows } = await db.execute<{ day: string; checks: number; wins: number }>(sql`
    SELECT d.day::text AS day, sum(d.buy_box_polls)::int AS checks, sum(d.buy_box_wins)::int AS wins
    FROM listing_days d JOIN listings l ON l.id = d.listing_id
    WHERE d.day BETWEEN ${from}::date AND ${to}::date AND d.buy_box_polls > 0 AND l.deleted_at IS NULL
    GROUP BY d.day`);
  return new Map(rows.map(({ day, checks, wins }) => [day, { checks, wins }]));
}

/** What repricing changed in a time, and what it is worth at the same volume; a decimal string. */
export type RepricedFigures = {
  readonly changes: number;
  readonly raised: number;
  readonly lowered: number;
  /** Changes among these that were undone or reverted: not worth anything any longer. */
  readonly undone: number;
  readonly listings: number;
  readonly known: number;
  readonly weeklyEffect: string | null;
  readonly heldAtFloor: number;
};

const SALES_DAYS = 30;

/**
 * Whether a row `h` that undoes a change undoes one of repricing since a time: the last one before it, past other undone
 * changes, which an undo can undo too.
 */
function undoesRepriced(since: Instant): SQL {
  return sql`EXISTS (SELECT FROM (
      SELECT u.source, u.timestamp FROM price_history u
      WHERE u.listing_id = h.listing_id AND u.id < h.id AND u.source <> 'undo' ORDER BY u.id DESC LIMIT 1) undone
    WHERE undone.source IN ('rule', 'apply') AND undone.timestamp >= ${timestamptz(since)})`;
}

/**
 * The price changes since a time by rules and by users who applied recommendations, less those that were undone. A listing
 * changed several times counts from its first old to its last new price: what one sale earned at either, by the margins known
 * then, times the units of an average week.
 */
export async function readRepriced(db: Db, since: Instant, now: Instant): Promise<RepricedFigures> {
  const charge = sql.raw(countedCharge());
  const { rows } = await db.execute<RepricedFigures>(sql`
    WITH change AS (
      SELECT h.listing_id, h.id, h.source, h.old_price, h.new_price, change.margin_before, change.margin_after, i.binding_limit
      FROM price_history h LEFT JOIN run_items i ON i.run_id = h.run_id AND i.listing_id = h.listing_id
        ${MARGINS_OF_CHANGE}
      WHERE (${REPRICED} OR (h.source = 'undo' AND ${undoesRepriced(since)})) AND h.timestamp >= ${timestamptz(since)} AND h.timestamp <= ${timestamptz(now)}),
    listing AS (
      SELECT c.listing_id,
        (array_agg(c.new_price ORDER BY c.id DESC))[1] + ${charge} AS revenue_after,
        (array_agg(c.margin_after ORDER BY c.id DESC))[1] AS margin_after,
        (array_agg(c.old_price ORDER BY c.id))[1] + ${charge} AS revenue_before,
        (array_agg(c.margin_before ORDER BY c.id))[1] AS margin_before
      FROM change c JOIN listings l ON l.id = c.listing_id GROUP BY c.listing_id, ${charge}),
    earned AS (
      SELECT (revenue_after * margin_after - revenue_before * margin_before) / 100 * coalesce(
        (SELECT sum(s.quantity_sold) FROM sales_history s WHERE s.listing_id = listing.listing_id
          AND s.sale_date > ${timestamptz(instant(now - hours(24 * SALES_DAYS)))} AND s.sale_date <= ${timestamptz(now)}), 0)
        * 7 / ${SALES_DAYS} AS effect
      FROM listing)
    SELECT moved.*, worth.* FROM
      (SELECT (count(*) FILTER (WHERE source <> 'undo'))::int AS changes,
        (count(*) FILTER (WHERE source <> 'undo' AND new_price > old_price))::int AS raised,
        (count(*) FILTER (WHERE source <> 'undo' AND new_price < old_price))::int AS lowered,
        (count(*) FILTER (WHERE source = 'undo'))::int AS undone,
        (count(*) FILTER (WHERE binding_limit = 'floor'))::int AS "heldAtFloor" FROM change) moved,
      (SELECT count(*)::int AS listings, count(effect)::int AS known, sum(effect)::numeric(20, 2) AS "weeklyEffect"
      FROM earned) worth`);
  const [row] = rows;
  if (!row) throw new Error('A count answered no row.');
  return row;
}
