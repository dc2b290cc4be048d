import { sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import type { Instant } from '#domain/units.ts';

/** What the floor is worth. Money is a decimal string: sums of a big catalogue exceed what one price can hold. */
export type MoneyFigures = {
  /** Listings that cost less than their lowest legal price. */
  readonly belowFloor: number;
  /**
   * One sale of each of them at its current price: profit is margin times revenue (price and shipping charge), and what
   * is negative of it is added up. A listing below its floor may still earn, only less than its rule asks for. The
   * margin is stored to a hundredth of a percent, so a loss is exact to 0.01 % of the revenue.
   */
  readonly lossPerSale: string;
  readonly recommended: number;
  /** Price changes of the last seven days whose decision was bound by the floor. */
  readonly heldAtFloor: number;
  /** The new price of each less what would have equalled the competitor, where that is lower; added up. */
  readonly savedByFloor: string;
};

const WEEK = 7 * 86_400_000;

export async function readMoneyLine(db: Db, now: Instant): Promise<MoneyFigures> {
  const weekAgo = new Date(now - WEEK).toISOString();
  const { rows } = await db.execute<MoneyFigures>(sql`
    SELECT below.*, recommended.*, held.* FROM (
      SELECT count(*)::int AS "belowFloor",
        coalesce(sum(greatest(0, round(-k.margin / 100 * (l.current_price + l.shipping_charge), 2))), 0)::numeric(20, 2)
          AS "lossPerSale"
      FROM listing_keys k JOIN listings l ON l.id = k.listing_id
      WHERE k.is_live AND k.floor_side = -1 AND k.floor_side <= 0
    ) below, (
      SELECT count(*)::int AS recommended FROM listing_keys k WHERE k.is_live AND k.is_recommended
    ) recommended, (
      SELECT count(*)::int AS "heldAtFloor",
        coalesce(sum(greatest(0, h.new_price - i.reference)), 0)::numeric(20, 2) AS "savedByFloor"
      FROM price_history h JOIN run_items i ON i.run_id = h.run_id AND i.listing_id = h.listing_id
      WHERE h.timestamp > ${weekAgo}::timestamptz AND i.bound = 'floor'
    ) held`);
  const [row] = rows;
  if (!row) throw new Error('A count answered no row.');
  return row;
}
