import { sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { cents, timestamptz } from '#db/sql-values.ts';
import { OWN_PRICE_WINDOW, type RecentPrices } from '#domain/readings/own-recent-prices.ts';
import type { Cents, Instant } from '#domain/units.ts';

interface Row extends Record<string, unknown> {
  readonly listingId: number;
  readonly price: Cents;
  readonly at: Instant;
  readonly kind: 'in_force' | 'sent';
  readonly isOwn: boolean;
  readonly isRepair: boolean;
  readonly isGivenUp: boolean;
}

/** The prices of these listings that were in force or sent within {@link OWN_PRICE_WINDOW}, by listing. */
export async function readRecentPrices(
  db: Db,
  listingIds: readonly number[],
  now: Instant,
): Promise<ReadonlyMap<number, RecentPrices>> {
  const since = timestamptz(now - OWN_PRICE_WINDOW);
  const { rows } = await db.execute<Row>(sql`
    SELECT l.id::float8 AS "listingId", ${cents('p.price')} AS price,
      round(date_part('epoch', p.at) * 1000) AS at, p.kind, p.is_own AS "isOwn", p.is_repair AS "isRepair", p.is_given_up AS "isGivenUp"
    FROM unnest(${sql.param(listingIds)}::bigint[]) AS l (id)
    CROSS JOIN LATERAL (
      SELECT h.new_price AS price, h.timestamp AS at, 'in_force' AS kind,
        h.source NOT IN ('import', 'observed') AS is_own, h.source = 'repair' AS is_repair, false AS is_given_up, h.id AS place
      FROM price_history h WHERE h.listing_id = l.id
        AND (h.timestamp > ${since} OR h.id = (
          SELECT before.id FROM price_history before WHERE before.listing_id = l.id
            AND before.timestamp <= ${since} ORDER BY before.timestamp DESC, before.id DESC LIMIT 1))
      UNION ALL
      SELECT i.price, i.sent_at, 'sent', true, false, i.state IN ('rejected', 'expired'), i.id FROM price_intents i
      WHERE i.listing_id = l.id AND i.sent_at > ${since}) p
    -- The ledger's own order: after a clock was set back its times are not in order.
    ORDER BY l.id, p.kind, p.place`);
  const recent = new Map(
    listingIds.map((id) => [id, { inForce: [], sent: [] } as Mutable<RecentPrices>] as const),
  );
  for (const { listingId, price, at, kind, isOwn, isRepair, isGivenUp } of rows) {
    if (kind === 'sent') recent.get(listingId)?.sent.push({ price, at, isGivenUp });
    else recent.get(listingId)?.inForce.push({ price, since: at, isOwn, ...(isRepair && { isRepair }) });
  }
  return recent;
}

type Mutable<Lists> = { [Name in keyof Lists]: Lists[Name] extends readonly (infer One)[] ? One[] : never };
