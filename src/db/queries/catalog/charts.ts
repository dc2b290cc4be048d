import { sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { OURS } from '#db/queries/repricing/history-filter.ts';
import { isoTime, timestamptz } from '#db/sql-values.ts';
import { MARGIN_FILTERS, type MarginFilter } from '#domain/margin-bands.ts';
import { hours, type Instant } from '#domain/units.ts';
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

/** A calendar day in a time zone: "2026-11-21", and the time it started there. */
export interface DayStart {
  readonly day: string;
  readonly start: Instant;
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
