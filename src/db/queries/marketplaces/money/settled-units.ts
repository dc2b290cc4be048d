import { sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { millis, timestamptz } from '#db/sql-values.ts';
import type { SettledUnits } from '#domain/fees/settled-fulfillment.ts';
import { hours, type Instant, instant } from '#domain/units.ts';

/** Of a listing no more than the newest ones of these are read. */
const MAX_SALES = 1_000;
/** A sale is charged within this time. */
const CHARGED_WITHIN = hours(60 * 24);

/**
 * What was charged for fulfilling the units of sales of these listings since a moment, of sales whose fees were booked for all
 * units. Not what an administrator rejected, nor the same fee again, unless one was accepted since.
 */
export async function readSettledUnits(
  db: Db,
  ids: readonly number[],
  since: Instant,
): Promise<(SettledUnits & { readonly listingId: number })[]> {
  if (ids.length === 0) return [];
  const charged = sql`e.marketplace = l.marketplace AND e.kind = 'fulfillment' AND e.superseded_by IS NULL`;
  const { rows } = await db.execute<SettledUnits & { listingId: number } & Record<string, unknown>>(sql`
    SELECT h.listing_id::float8 AS "listingId", round(h.total_revenue * 100 / h.quantity_sold)::float8 AS price,
      ceil(f.charged * 100)::float8 AS fee, h.quantity_sold AS units, ${millis('e.at')} AS "settledAt"
    FROM unnest(${sql.param([...ids])}::bigint[]) wanted (id)
    CROSS JOIN LATERAL (SELECT marketplace FROM listings WHERE id = wanted.id LIMIT 1) l
    CROSS JOIN LATERAL (SELECT * FROM sales_history
      WHERE listing_id = wanted.id AND sale_date > ${timestamptz(instant(since - CHARGED_WITHIN))}
      ORDER BY sale_date DESC LIMIT ${MAX_SALES}) h
    CROSS JOIN LATERAL (SELECT -(part ->> 'told')::numeric / h.quantity_sold AS charged
      FROM jsonb_array_elements(h.parts) part WHERE part ->> 'kind' = 'fulfillment') f
    CROSS JOIN LATERAL (SELECT greatest(
      (SELECT max(e.posted_at) FROM money_events e WHERE e.order_ref = h.order_ref AND ${charged}),
      (SELECT max(e.posted_at) FROM money_events e WHERE e.line_ref = h.external_id AND ${charged})) AS at) e
    WHERE h.money_state = 'told' AND h.quantity_sold > 0 AND h.total_revenue > 0 AND f.charged > 0 AND e.at >= ${timestamptz(since)}
      AND NOT EXISTS (SELECT FROM fee_facts r WHERE r.listing_id = h.listing_id AND r.kind = 'fulfillment'
        AND r.source = 'settled' AND r.refused_because = 'rejected' AND r.told_at <= e.at
        AND abs(r.amount * 100 - ceil(f.charged * 100)) <= 1
        AND NOT EXISTS (SELECT FROM fee_facts a WHERE a.listing_id = r.listing_id AND a.kind = 'fulfillment'
          AND a.accepted_at IS NOT NULL AND a.told_at >= r.told_at))`);
  return rows;
}
