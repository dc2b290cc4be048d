import { eq, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { appSettings } from '#db/schema/settings.ts';
import { shopDayStart, WANTED_ZONE } from './shop-days.ts';

const COLUMNS = { closedUntil: appSettings.booksClosedUntil };

/** The last closed day; null while the books are open. */
export async function readClosedDay(db: Db): Promise<string | null> {
  return (await db.select(COLUMNS).from(appSettings))[0]?.closedUntil ?? null;
}

/** The same; it cannot change until the end of the transaction. */
export async function shareClosedDay(tx: Db): Promise<string | null> {
  return (await tx.select(COLUMNS).from(appSettings).for('share'))[0]?.closedUntil ?? null;
}

/** The same, to change it: sums that are being made are finished first, others wait. */
export async function lockClosedDay(tx: Db): Promise<string | null> {
  return (await tx.select(COLUMNS).from(appSettings).for('no key update'))[0]?.closedUntil ?? null;
}

export async function writeClosedDay(tx: Db, day: string | null): Promise<void> {
  await tx.update(appSettings).set({ booksClosedUntil: day }).where(eq(appSettings.id, 'default'));
}

/** Whether sums of days until this one, or sales from which they are made, are still to be calculated. */
export async function isProfitDue(db: Db, until: string): Promise<boolean> {
  const end = shopDayStart(sql`${until}::date + 1`);
  const { rows } = await db.execute<{ isDue: boolean }>(sql`
    SELECT EXISTS (SELECT FROM profit_due WHERE day <= ${until}::date)
      OR EXISTS (SELECT FROM profit_due WHERE zones_number < (SELECT max(number) FROM day_zones))
      OR EXISTS (${WANTED_ZONE})
      OR EXISTS (SELECT FROM sales_due d JOIN sales_history h ON h.listing_id = d.listing_id
        WHERE h.sale_date >= d.since AND h.sale_date < ${end})
      OR EXISTS (SELECT FROM sale_money_due m JOIN sales_history h ON h.id = m.sale_id WHERE h.sale_date < ${end}) AS "isDue"`);
  return rows[0]?.isDue === true;
}

/** What closing the books until a day would leave open. */
export type OpenBooks = {
  /** Sales until the day: all, those whose profit is unknown, and those of which not all is reported. */
  readonly sales: number;
  readonly unknown: number;
  readonly notTold: number;
  /** Amounts without a sale that were booked until the day, and their sum. */
  readonly unmatched: number;
  readonly unmatchedAmount: string;
};

/** What is still open of the days after the closed ones, until one. */
export async function readOpenBooks(db: Db, after: string | null, until: string): Promise<OpenBooks> {
  const start = after === null ? sql`'-infinity'` : shopDayStart(sql`${after}::date + 1`);
  const end = shopDayStart(sql`${until}::date + 1`);
  const { rows } = await db.execute<OpenBooks>(sql`
    SELECT s.*, m.* FROM
      (SELECT count(*)::float8 AS sales, count(*) FILTER (WHERE total_margin IS NULL)::float8 AS unknown,
        count(*) FILTER (WHERE money_state <> 'told')::float8 AS "notTold"
        FROM sales_history WHERE sale_date >= ${start} AND sale_date < ${end}) s,
      (SELECT count(*)::float8 AS unmatched, coalesce(sum(amount), 0.00)::text AS "unmatchedAmount" FROM money_events
        WHERE superseded_by IS NULL AND matched_by IN ('sku', 'marketplace') AND kind <> 'transfer'
          AND posted_at >= ${start} AND posted_at < ${end}) m`);
  const [open] = rows;
  if (open === undefined) throw new Error('An aggregate answered no row.');
  return open;
}

/** Makes the sums of the days after this one again, without corrections: they are open again. */
export async function reopenDays(tx: Db, after: string | null): Promise<void> {
  const isOpen = after === null ? sql`corrects IS NOT NULL` : sql`corrects > ${after}::date`;
  await tx.execute(sql`
    INSERT INTO profit_due (listing_id, day, marketplace, zones_number)
    SELECT DISTINCT listing_id, corrects, marketplace, (SELECT max(number) FROM day_zones) FROM profit_days
    WHERE ${isOpen} ORDER BY 1, 2
    ON CONFLICT (listing_id, day, marketplace)
      DO UPDATE SET zones_number = least(profit_due.zones_number, excluded.zones_number)`);
  await tx.execute(sql`DELETE FROM profit_days WHERE ${isOpen}`);
}
