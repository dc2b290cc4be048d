import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { timestamptz } from '#db/sql-values.ts';
import type { FulfillmentType, Marketplace } from '#domain/marketplaces.ts';
import type { Instant } from '#domain/units.ts';

/*
 * What is asked of a marketplace listing by listing, and whose turn it is. A budget may end a reading at any of them: the
 * next one goes on with those that waited longest.
 */

/** Those listings of a marketplace whose last reading of this kind is older than that. */
export interface SyncQueue {
  readonly what: 'offers' | 'figures' | 'fees';
  readonly marketplace: Marketplace;
  readonly readBefore: Instant;
}

const READ_AT: Readonly<Record<SyncQueue['what'], SQL>> = {
  offers: sql.raw('offers_read_at'),
  figures: sql.raw('figures_read_at'),
  fees: sql.raw('fees_read_at'),
};

/** A listing as calls to its marketplace name it, with what it costs, in cents. */
export interface ListingTurn extends Record<string, unknown> {
  readonly listingId: number;
  readonly sku: string;
  readonly itemId: string | null;
  readonly fulfillmentType: FulfillmentType;
  readonly keys: Readonly<Record<string, string>>;
  readonly price: number;
  readonly shippingCharge: number;
}

/** Live listings that the marketplace shows to buyers; of fees those whose warehouse fee nobody entered. */
function among({ what, marketplace, readBefore }: SyncQueue): SQL {
  const readAt = READ_AT[what];
  const isUnknown = sql`AND l.fulfillment_type = 'FBA/WFS'
    AND (l.fulfillment_cost IS NULL OR l.fulfillment_cost_is_estimate)`;
  return sql`FROM marketplace_listings m JOIN listings l ON l.id = m.listing_id
    WHERE l.marketplace = ${marketplace} AND l.deleted_at IS NULL AND l.missing_since IS NULL AND m.is_active
      AND (m.${readAt} IS NULL OR m.${readAt} < ${timestamptz(readBefore)}) ${what === 'fees' ? isUnknown : sql``}`;
}

/** Those first that waited longest. */
export async function nextInSyncQueue(db: Db, turns: SyncQueue, limit: number): Promise<ListingTurn[]> {
  const { rows } = await db.execute<ListingTurn>(sql`
    SELECT l.id::float8 AS "listingId", l.sku, l.marketplace_item_id AS "itemId",
      l.fulfillment_type AS "fulfillmentType", m.keys, (l.current_price * 100)::float8 AS price,
      (l.shipping_charge * 100)::float8 AS "shippingCharge"
    ${among(turns)}
    ORDER BY m.${READ_AT[turns.what]} NULLS FIRST, l.id LIMIT ${limit}`);
  return rows;
}

/** How many {@link nextInSyncQueue} would name without a limit. */
export async function countTurns(db: Db, turns: SyncQueue): Promise<number> {
  const { rows } = await db.execute<{ count: number }>(sql`SELECT count(*)::int AS count ${among(turns)}`);
  return rows[0]?.count ?? 0;
}

/** Remembers that these listings had their turn, with or without an answer. */
export async function markSynced(
  db: Db,
  what: SyncQueue['what'],
  ids: readonly number[],
  at: Instant,
): Promise<void> {
  if (ids.length === 0) return;
  await db.execute(sql`
    UPDATE marketplace_listings m SET ${READ_AT[what]} = ${timestamptz(at)}
    -- In one order for everybody: several kinds are read at the same time.
    FROM (SELECT listing_id FROM marketplace_listings WHERE listing_id = ANY(${sql.param(ids)}::bigint[])
      ORDER BY listing_id FOR NO KEY UPDATE) locked
    WHERE m.listing_id = locked.listing_id`);
}
