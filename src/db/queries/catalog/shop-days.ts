import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { dayZones } from '#db/schema/profit.ts';
import { localTimeOf } from '#domain/time/local-time.ts';
import type { Instant } from '#domain/units.ts';

/*
 * On which day of the shop a sale, a return or an amount is. All days of money are found with these: the functions of the
 * database read `day_zones`, the time zones of the sums that are kept.
 */

/** The day of a moment, once for a statement. */
export function shopDay(at: SQL): SQL {
  return sql`(SELECT shop_day(${at}))`;
}

/** The first moment of a day, once for a statement. */
export function shopDayStart(day: SQL): SQL {
  return sql`(SELECT shop_day_start(${day}))`;
}

/** Selects the zone that the days after the closed ones should have, and the first of them; no row when they have it. */
export const WANTED_ZONE = sql`
  SELECT CASE WHEN w.zone <> z.zone AND is_zone(w.zone) THEN w.zone ELSE z.zone END AS zone, w.first_day AS "firstDay"
  FROM (SELECT coalesce(time_zone, 'UTC') AS zone, coalesce(books_closed_until + 1, '-infinity') AS first_day FROM app_settings) w
  CROSS JOIN (SELECT zone FROM day_zones ORDER BY from_day DESC LIMIT 1) z
  WHERE w.zone <> z.zone AND is_zone(w.zone) OR EXISTS (SELECT FROM day_zones WHERE from_day > w.first_day)`;

/** The time zone of the days that are not closed. */
export async function readDayZone(db: Db): Promise<string> {
  const rows = await db
    .select({ zone: dayZones.zone })
    .from(dayZones)
    .orderBy(sql`${dayZones.fromDay} DESC`)
    .limit(1);
  return rows[0]?.zone ?? 'UTC';
}

/** Today where the shop is, as "2026-11-21". */
export async function readToday(db: Db, now: Instant): Promise<string> {
  return localTimeOf(now, await readDayZone(db)).day;
}

/** Whether the database server knows a time zone. */
export async function isZoneKnown(db: Db, zone: string): Promise<boolean> {
  const { rows } = await db.execute<{ isKnown: boolean }>(sql`SELECT is_zone(${zone}) AS "isKnown"`);
  return rows[0]?.isKnown === true;
}
