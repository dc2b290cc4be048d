import { sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { isoTime } from '#db/sql-values.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import { READING_SOURCES, type ReadingLag, type ReadingSource } from '#domain/readings/assess-reading.ts';
import type { Instant } from '#domain/units.ts';

const MINUTE = 60_000;
/** Longer lags count as this many minutes. */
const MAX_MINUTES = 24 * 60;
/** Lags of this many days are summed up. */
const DAYS = 7;

/** Adds how far sources were behind. */
export async function addReadingLags(
  tx: Db,
  marketplace: Marketplace,
  lags: readonly ReadingLag[],
  now: Instant,
): Promise<void> {
  const counts = new Map<string, { source: ReadingSource; minutes: number; readings: number }>();
  for (const { source, lag } of lags) {
    const minutes = Math.min(MAX_MINUTES, Math.ceil(lag / MINUTE));
    const key = `${source} ${minutes}`;
    counts.set(key, { source, minutes, readings: (counts.get(key)?.readings ?? 0) + 1 });
  }
  if (counts.size === 0) return;
  const rows = [...counts.values()];
  await tx.execute(sql`
    INSERT INTO reading_lags (marketplace, source, day, minutes, readings)
    SELECT ${marketplace}, source, ${dayOf(now)}::date, minutes, readings FROM unnest(
      ${sql.param(rows.map(({ source }) => source))}::text[], ${sql.param(rows.map(({ minutes }) => minutes))}::int[],
      ${sql.param(rows.map(({ readings }) => readings))}::int[]) AS r (source, minutes, readings)
    -- In one order for all writers, so that two of them wait for each other instead of deadlocking.
    ORDER BY source, minutes
    ON CONFLICT (marketplace, source, day, minutes) DO UPDATE SET readings = reading_lags.readings + excluded.readings`);
}

/** How far one source of a marketplace was behind. */
export interface LagSummary extends Record<string, unknown> {
  readonly marketplace: Marketplace;
  readonly source: ReadingSource;
  /** 95 of 100 late readings were behind by at most this many minutes; 1,440 is a day or more. */
  readonly minutes95: number;
  /** Readings that were late. */
  readonly readings: number;
}

/** How far sources were behind in the last seven days; sources that were never late are missing. */
export async function summarizeReadingLags(db: Db, now: Instant): Promise<LagSummary[]> {
  const { rows } = await db.execute<LagSummary>(sql`
    SELECT marketplace, source, min(minutes) FILTER (WHERE running >= 0.95 * total) AS "minutes95",
      max(total)::float8 AS readings
    FROM (
      SELECT marketplace, source, minutes,
        sum(sum(readings)) OVER (PARTITION BY marketplace, source ORDER BY minutes) AS running,
        sum(sum(readings)) OVER (PARTITION BY marketplace, source) AS total
      FROM reading_lags WHERE day > ${dayOf(now)}::date - ${DAYS}::int
      GROUP BY marketplace, source, minutes) m
    GROUP BY marketplace, source
    ORDER BY marketplace, array_position(${sql.param(READING_SOURCES)}::text[], source)`);
  return rows;
}

/** Deletes lags that are no longer summed up. */
export async function deleteOldReadingLags(db: Db, now: Instant): Promise<void> {
  await db.execute(sql`DELETE FROM reading_lags WHERE day <= ${dayOf(now)}::date - ${DAYS}::int`);
}

/** The day in UTC. */
function dayOf(at: Instant): string {
  return isoTime(at).slice(0, 'YYYY-MM-DD'.length);
}
