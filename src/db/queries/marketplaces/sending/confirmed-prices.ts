import { sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { markDue } from '#db/queries/repricing/due-listings.ts';
import type { INTENT_SOURCES } from '#db/schema/prices.ts';
import { cents, timestamptz } from '#db/sql-values.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import type { Cents, Instant } from '#domain/units.ts';

/**
 * Buyers see the price: the intent becomes a row of the ledger, unless that price is the current one already. Lock the
 * listing first.
 * @returns false when the intent was no longer open
 */
export async function confirmIntent(tx: Db, id: number, now: Instant): Promise<boolean> {
  const { rows } = await tx.execute<{ id: number }>(sql`
    UPDATE price_intents i SET state = 'confirmed', settled_at = ${timestamptz(now)}, marketplace_message = NULL, next_read_at = NULL
    WHERE i.id = ${id} AND i.state IN ('sent', 'accepted', 'unknown') RETURNING i.listing_id::float8 AS id`);
  if (rows[0] === undefined) return false;
  await enterConfirmed(tx, id, rows[0].id, now);
  return true;
}

/**
 * Buyers see a price of ours that was considered rejected or lost: the newest such intent of the listing still becomes
 * a row of the ledger. Lock the listing first.
 * @param sentSince older ones are ignored
 * @returns false when the price was not one of ours
 */
export async function confirmEnded(
  tx: Db,
  listingId: number,
  price: Cents,
  sentSince: Instant,
  now: Instant,
): Promise<boolean> {
  const { rows } = await tx.execute<{ id: number }>(sql`
    UPDATE price_intents i SET state = 'confirmed', is_refusal_active = false, settled_at = ${timestamptz(now)}, marketplace_message = NULL
    WHERE i.id = (SELECT o.id FROM price_intents o
      WHERE o.listing_id = ${listingId} AND o.price = ${price} / 100.0 AND o.state IN ('rejected', 'expired')
        AND o.sent_at >= ${timestamptz(sentSince)} ORDER BY o.sequence DESC LIMIT 1)
    RETURNING i.id::float8 AS id`);
  if (rows[0] === undefined) return false;
  await enterConfirmed(tx, rows[0].id, listingId, now);
  return true;
}

/** The newest price of a listing that was not given up. */
export interface NewestPrice extends Record<string, unknown> {
  readonly price: Cents;
  readonly source: (typeof INTENT_SOURCES)[number];
  readonly actorId: string | null;
  readonly actor: string | null;
  readonly isConfirmed: boolean;
}

/** @returns null where every price of the listing was given up */
export async function readNewestPrice(tx: Db, listingId: number): Promise<NewestPrice | null> {
  const { rows } = await tx.execute<NewestPrice>(sql`
    SELECT ${cents('i.price')} AS price, i.source, i.actor_id AS "actorId", i.actor, i.state = 'confirmed' AS "isConfirmed"
    FROM price_intents i WHERE i.listing_id = ${listingId} AND i.state NOT IN ('rejected', 'expired')
    ORDER BY i.sequence DESC LIMIT 1`);
  return rows[0] ?? null;
}

/** Whether the newest change of a listing's price replaced this price, which was read from the marketplace. */
export async function replacedObserved(tx: Db, listingId: number, price: Cents): Promise<boolean> {
  const { rows } = await tx.execute<{ replaced: boolean }>(sql`
    SELECT h.source = 'observed' AND h.new_price = ${price} / 100.0 AS replaced FROM price_history h
    WHERE h.listing_id = ${listingId} ORDER BY h.id DESC OFFSET 1 LIMIT 1`);
  return rows[0]?.replaced === true;
}

async function enterConfirmed(tx: Db, id: number, listingId: number, now: Instant): Promise<void> {
  await tx.execute(sql`
    INSERT INTO price_history (listing_id, old_price, new_price, reason, margin_impact, margin_after, rule_id, competitor_price,
      margin_floor, fee_version, facts, source, timestamp, run_id, actor_id, actor)
    SELECT l.id, l.current_price, i.price, i.reason,
      CASE WHEN l.current_price = i.from_price THEN i.margin_impact END, i.margin_after, i.rule_id, i.competitor_price,
      i.margin_floor, i.fee_version, i.facts, i.source, ${timestamptz(now)}, i.run_id, i.actor_id, i.actor
    FROM price_intents i JOIN listings l ON l.id = i.listing_id
    WHERE l.current_price <> i.price AND (i.id = ${id}
      -- All members of a price group: what confirmed one of them confirmed all.
      OR i.group_order = (SELECT group_order FROM price_intents WHERE id = ${id}))
    ORDER BY l.id`);
  // Its metrics must follow, also after the engine's own price: they are still those of the price before.
  await markDue(tx, [listingId]);
}

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
