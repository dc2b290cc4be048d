import { sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { markDue } from '#db/queries/repricing/due-listings.ts';
import type { INTENT_SOURCES } from '#db/schema/prices.ts';
import { cents, timestamptz } from '#db/sql-values.ts';
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
    INSERT INTO price_history (listing_id, old_price, new_price, reason, margin_impact, rule_id, competitor_price,
      margin_floor, fee_version, facts, source, timestamp, run_id, actor_id, actor)
    SELECT l.id, l.current_price, i.price, i.reason,
      CASE WHEN l.current_price = i.from_price THEN i.margin_impact END, i.rule_id, i.competitor_price,
      i.margin_floor, i.fee_version, i.facts, i.source, ${timestamptz(now)}, i.run_id, i.actor_id, i.actor
    FROM price_intents i JOIN listings l ON l.id = i.listing_id
    WHERE l.current_price <> i.price AND (i.id = ${id}
      -- All members of a price group: what confirmed one of them confirmed all.
      OR i.group_order = (SELECT group_order FROM price_intents WHERE id = ${id}))
    ORDER BY l.id`);
  // Its metrics must follow, also after the engine's own price: they are still those of the price before.
  await markDue(tx, [listingId]);
}
