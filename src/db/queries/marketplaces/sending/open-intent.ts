import { type SQL, sql } from 'drizzle-orm';
import type { IntentState, PriceSource } from '#db/schema/prices.ts';
import { cents } from '#db/sql-values.ts';
import type { FulfillmentType, Marketplace } from '#domain/marketplaces.ts';
import type { Cents, Instant } from '#domain/units.ts';

/*
 * What the sender reads of an open price: queued, sent, accepted or unknown.
 */

/** An open price, with the identifiers of its listing. */
export interface OpenIntent extends Record<string, unknown> {
  readonly id: number;
  readonly listingId: number;
  readonly marketplace: Marketplace;
  readonly sequence: number;
  readonly state: IntentState;
  readonly price: Cents;
  readonly fromPrice: Cents;
  readonly marginFloor: Cents;
  readonly source: PriceSource;
  /** A manual price, or one that ends a price below the margin floor. */
  readonly isUrgent: boolean;
  readonly idempotencyKey: string;
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
  readonly sentAt: Instant | null;
  readonly receipt: string | null;
  readonly reads: number;
  /** Since when every reading did not find the listing; null while the last one found it. */
  readonly missingSince: Instant | null;
  readonly sku: string;
  readonly fulfillmentType: FulfillmentType;
  readonly itemId: string | null;
  /** Names the listings that share its price now; null for none. */
  readonly groupKey: string | null;
  readonly keys: Readonly<Record<string, string>>;
  readonly currentPrice: Cents;
  readonly isDeleted: boolean;
  /** The halt that a user overrode to send it. */
  readonly pastHalt: Instant | null;
  /** A user's price that waited for the end of a pause: its age counts from then. */
  readonly pausedUntil: Instant | null;
  /** The reason not to reprice the listing that the user was shown and confirmed; null for none. */
  readonly pastReason: string | null;
  /** A later price of the listing was confirmed: this one may still arrive, but is no longer wanted. */
  readonly isSuperseded: boolean;
  /** The same for all members of a price group; null without one. */
  readonly groupOrder: string | null;
  readonly groupSize: number | null;
}

/** 2 raises a price below its margin floor, 1 is a manual price, 0 any other. */
export const urgencyOf = (of: SQL): SQL => sql`(CASE
    WHEN ${of}.from_price < ${of}.margin_floor THEN 2 WHEN ${of}.source <> 'rule' THEN 1 ELSE 0 END)`;

export const OPEN_INTENTS = sql`
  SELECT i.id::float8 AS id, i.listing_id::float8 AS "listingId", i.marketplace, i.sequence, i.state, ${cents('i.price')} AS price,
    ${cents('i.from_price')} AS "fromPrice", ${cents('i.margin_floor')} AS "marginFloor", i.source, ${urgencyOf(sql`i`)} > 0 AS "isUrgent", i.idempotency_key AS "idempotencyKey",
    round(date_part('epoch', i.created_at) * 1000) AS "createdAt",
    round(date_part('epoch', i.expires_at) * 1000) AS "expiresAt",
    round(date_part('epoch', i.sent_at) * 1000) AS "sentAt", i.receipt, i.reads, round(date_part('epoch', i.missing_since) * 1000) AS "missingSince", round(date_part('epoch', i.past_halt) * 1000) AS "pastHalt",
    round(date_part('epoch', i.paused_until) * 1000) AS "pausedUntil", i.past_reason AS "pastReason", l.sku,
    l.fulfillment_type AS "fulfillmentType", l.marketplace_item_id AS "itemId", l.group_key AS "groupKey", coalesce(m.keys, '{}') AS keys,
    ${cents('l.current_price')} AS "currentPrice", l.deleted_at IS NOT NULL AS "isDeleted",
    EXISTS (SELECT FROM price_intents later WHERE later.listing_id = i.listing_id
      AND later.sequence > i.sequence AND later.state = 'confirmed') AS "isSuperseded",
    i.group_order::text AS "groupOrder", i.group_size AS "groupSize"
  FROM price_intents i JOIN listings l ON l.id = i.listing_id
  LEFT JOIN marketplace_listings m ON m.listing_id = l.id`;

export const IS_OPEN = sql`i.state IN ('sent', 'accepted', 'unknown')`;
