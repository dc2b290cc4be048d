import { sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { cents } from '#db/sql-values.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import type { Cents, Instant } from '#domain/units.ts';

/** A listing with the price that a sync read. */
export interface CurrentPrice extends Record<string, unknown> {
  readonly id: number;
  readonly sku: string;
  readonly currentPrice: Cents;
  readonly anchorPrice: Cents;
  /** When the current price came into force. */
  readonly priceSince: Instant;
  readonly heldBy: string | null;
  readonly heldUntil: Instant | null;
  /** A price is on its way: sent and not settled, or set by a user and about to be sent. */
  readonly isOpen: boolean;
  /** When the price last changed, or a sent price was settled. */
  readonly movedAt: Instant;
  readonly awaitsUpload: boolean;
  /** Prices of its marketplace are sent automatically. */
  readonly isConnected: boolean;
  /** Names the listings that share its price; null for none. */
  readonly groupKey: string | null;
}

/** Live listings of a marketplace among these, by ID, locked. */
export async function lockCurrentPrices(
  tx: Db,
  marketplace: Marketplace,
  listingIds: readonly number[],
): Promise<CurrentPrice[]> {
  await tx.execute(sql`
    SELECT FROM listings WHERE id = ANY(${sql.param(listingIds)}::bigint[]) ORDER BY id FOR NO KEY UPDATE`);
  const { rows } = await tx.execute<CurrentPrice>(sql`
    SELECT l.id::float8 AS id, l.sku, ${cents('l.current_price')} AS "currentPrice",
      ${cents('l.anchor_price')} AS "anchorPrice",
      round(date_part('epoch', h.timestamp) * 1000) AS "priceSince", l.held_by AS "heldBy",
      round(date_part('epoch', l.held_until) * 1000) AS "heldUntil",
      l.awaiting_upload_since IS NOT NULL AS "awaitsUpload", l.group_key AS "groupKey",
      EXISTS (SELECT FROM integrations w WHERE w.marketplace = l.marketplace AND w.price_channel = 'connected') AS "isConnected",
      round(date_part('epoch', greatest(h.timestamp, i.settled_at)) * 1000) AS "movedAt",
      coalesce(i.is_open, false) AS "isOpen"
    FROM listings l
    JOIN price_history h ON h.listing_id = l.id AND h.id = l.current_price_id
    -- What the engine only queued has not left yet, and is not sent from another price than it was decided from.
    LEFT JOIN LATERAL (SELECT max(settled_at) FILTER (WHERE sent_at IS NOT NULL) AS settled_at,
        bool_or(state IN ('sent', 'accepted', 'unknown') OR (state = 'queued' AND source <> 'rule')) AS is_open
      FROM price_intents WHERE listing_id = l.id) i ON true
    WHERE l.id = ANY(${sql.param(listingIds)}::bigint[]) AND l.marketplace = ${marketplace} AND l.deleted_at IS NULL
    ORDER BY l.id`);
  return rows;
}
