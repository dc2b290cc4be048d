import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { timestamptz } from '#db/sql-values.ts';
import type { FulfillmentType, Marketplace } from '#domain/marketplaces.ts';
import type { Instant } from '#domain/units.ts';

/*
 * Data that is synced listing by listing, and which listings are next. A call budget may end a sync at any of them: the
 * next one continues with those that waited longest.
 */

/** Listings of a marketplace whose last sync of this kind is older than a time. */
export interface SyncQueue {
  readonly kind: 'offers' | 'figures' | 'fees';
  readonly marketplace: Marketplace;
  readonly syncedBefore: Instant;
  /** A later time for listings that the missing fulfillment fee blocks. */
  readonly blockedBefore?: Instant;
}

const SYNCED_AT: Readonly<Record<SyncQueue['kind'], SQL>> = {
  offers: sql.raw('offers_read_at'),
  figures: sql.raw('figures_read_at'),
  fees: sql.raw('fees_read_at'),
};

/** A listing with the identifiers for calls to its marketplace, and its price in cents. */
export interface ListingToSync extends Record<string, unknown> {
  readonly listingId: number;
  readonly sku: string;
  readonly itemId: string | null;
  readonly fulfillmentType: FulfillmentType;
  readonly keys: Readonly<Record<string, string>>;
  readonly price: number;
  readonly shippingCharge: number;
}

/** Live listings that the marketplace shows to buyers. */
function among({ kind, marketplace, syncedBefore, blockedBefore }: SyncQueue): SQL {
  const syncedAt = SYNCED_AT[kind];
  const isBlocked =
    blockedBefore === undefined
      ? sql``
      : sql`OR (l.fulfillment_type = 'FBA/WFS' AND l.fulfillment_cost IS NULL
          AND m.${syncedAt} < ${timestamptz(blockedBefore)})`;
  return sql`FROM marketplace_listings m JOIN listings l ON l.id = m.listing_id
    WHERE l.marketplace = ${marketplace} AND l.deleted_at IS NULL AND l.missing_since IS NULL AND m.is_active
      AND (m.${syncedAt} IS NULL OR m.${syncedAt} < ${timestamptz(syncedBefore)} ${isBlocked})`;
}

/** Those that waited longest first. */
export async function nextInSyncQueue(db: Db, queue: SyncQueue, limit: number): Promise<ListingToSync[]> {
  const { rows } = await db.execute<ListingToSync>(sql`
    SELECT l.id::float8 AS "listingId", l.sku, l.marketplace_item_id AS "itemId",
      l.fulfillment_type AS "fulfillmentType", m.keys, (l.current_price * 100)::float8 AS price,
      (l.shipping_charge * 100)::float8 AS "shippingCharge"
    ${among(queue)}
    ORDER BY m.${SYNCED_AT[queue.kind]} NULLS FIRST, l.id LIMIT ${limit}`);
  return rows;
}

/** How many {@link nextInSyncQueue} would return without a limit. */
export async function countSyncQueue(db: Db, queue: SyncQueue): Promise<number> {
  const { rows } = await db.execute<{ count: number }>(sql`SELECT count(*)::int AS count ${among(queue)}`);
  return rows[0]?.count ?? 0;
}

/** Records that these listings were synced, with or without a response. */
export async function markSynced(
  db: Db,
  kind: SyncQueue['kind'],
  ids: readonly number[],
  at: Instant,
): Promise<void> {
  if (ids.length === 0) return;
  await db.execute(sql`
    UPDATE marketplace_listings m SET ${SYNCED_AT[kind]} = ${timestamptz(at)}
    -- In one order for all writers: several kinds are synced at the same time.
    FROM (SELECT listing_id FROM marketplace_listings WHERE listing_id = ANY(${sql.param(ids)}::bigint[])
      ORDER BY listing_id FOR NO KEY UPDATE) locked
    WHERE m.listing_id = locked.listing_id`);
}
