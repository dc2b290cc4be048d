import { sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { transact } from '#db/transact.ts';

/**
 * Takes the stock of the day, unless it was taken: as the marketplaces told last, where they are still synced.
 * @param day where the shop is, as YYYY-MM-DD
 */
export async function takeDayStocks(db: Db, day: string): Promise<void> {
  await transact(db, async (tx) => {
    const { rowCount } = await tx.execute(
      sql`UPDATE repricing_state SET stocks_of = ${day}::date WHERE stocks_of IS DISTINCT FROM ${day}::date`,
    );
    if (rowCount === 0) return;
    await tx.execute(sql`DELETE FROM day_stocks`);
    await tx.execute(sql`
      INSERT INTO day_stocks (listing_id, stock)
      SELECT l.id, m.quantity FROM marketplace_listings m
      JOIN listings l ON l.id = m.listing_id AND l.deleted_at IS NULL
      JOIN integrations i ON i.marketplace = l.marketplace AND i.price_channel IN ('connected', 'read_only')
      WHERE m.quantity IS NOT NULL`);
  });
}
