import { sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { timestamptz } from '#db/sql-values.ts';
import { transact } from '#db/transact.ts';
import { ENTERED_FACT_AGE } from '#domain/decision/entered-facts.ts';
import { type Instant, instant } from '#domain/units.ts';

/**
 * Takes the stock of the day and its age, unless they were taken: the stock as the marketplaces reported last, where they are
 * still synced, else as a file said, like its age, while that counts.
 * @param day where the shop is, as YYYY-MM-DD
 */
export async function takeDayStocks(db: Db, day: string, now: Instant): Promise<void> {
  const oldest = timestamptz(instant(now - ENTERED_FACT_AGE));
  await transact(db, async (tx) => {
    const { rowCount } = await tx.execute(
      sql`UPDATE repricing_state SET stocks_of = ${day}::date WHERE stocks_of IS DISTINCT FROM ${day}::date`,
    );
    if (rowCount === 0) return;
    await tx.execute(sql`DELETE FROM day_stocks`);
    await tx.execute(sql`
      INSERT INTO day_stocks (listing_id, stock, stock_age_days)
      SELECT id, stock, stock_age_days FROM (
        SELECT l.id,
          coalesce(CASE WHEN i.price_channel IN ('connected', 'read_only') THEN m.quantity END,
            CASE WHEN l.stock_at BETWEEN ${oldest} AND ${timestamptz(now)} THEN l.stock END) AS stock,
          CASE WHEN l.stock_age_at BETWEEN ${oldest} AND ${timestamptz(now)} THEN l.stock_age_days END AS stock_age_days
        FROM listings l
        JOIN integrations i ON i.marketplace = l.marketplace
        LEFT JOIN marketplace_listings m ON m.listing_id = l.id
        WHERE l.deleted_at IS NULL
      ) known WHERE stock IS NOT NULL OR stock_age_days IS NOT NULL`);
  });
}
