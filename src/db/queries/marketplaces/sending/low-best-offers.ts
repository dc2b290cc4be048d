import { eq, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { marketplaceListings } from '#db/schema/marketplace-syncs.ts';
import { cents, timestamptz } from '#db/sql-values.ts';
import type { FulfillmentType, Marketplace } from '#domain/marketplaces.ts';
import type { Cents, Instant } from '#domain/units.ts';

/** A listing for which offers of buyers below its lowest allowed price are accepted, with what calls need. */
export interface LowBestOffer extends Record<string, unknown> {
  readonly listingId: number;
  readonly sku: string;
  readonly fulfillmentType: FulfillmentType;
  readonly itemId: string | null;
  readonly keys: Readonly<Record<string, string>>;
  readonly autoAcceptPrice: Cents;
  /** What the marketplace refused the last time; null for nothing. */
  readonly refused: string | null;
}

/**
 * Listings outside of the Inventory model that are for sale and whose price from which offers are accepted may be raised
 * now, the longest untried first. None whose own price is on its way: that price has to be there before.
 */
export async function readLowBestOffers(
  db: Db,
  marketplace: Marketplace,
  max: number,
  now: Instant,
): Promise<LowBestOffer[]> {
  const { rows } = await db.execute<LowBestOffer>(sql`
    SELECT l.id::float8 AS "listingId", l.sku, l.fulfillment_type AS "fulfillmentType",
      l.marketplace_item_id AS "itemId", w.keys, ${cents('w.auto_accept_price')} AS "autoAcceptPrice",
      w.raise_refused AS refused
    FROM marketplace_listings w JOIN listings l ON l.id = w.listing_id
      JOIN listing_metrics m ON m.listing_id = w.listing_id
    WHERE w.auto_accept_price < greatest(m.margin_floor, l.min_price) AND l.marketplace = ${marketplace}
      AND l.deleted_at IS NULL AND l.missing_since IS NULL AND l.auto_repricing_enabled AND w.channel = 'trading'
      AND w.is_active AND w.not_repriceable_reason IS NULL
      AND (w.raise_after IS NULL OR w.raise_after <= ${timestamptz(now)})
      AND NOT EXISTS (SELECT FROM price_intents i WHERE i.listing_id = l.id
        AND i.state IN ('queued', 'sent', 'accepted', 'unknown'))
    ORDER BY w.raise_after NULLS FIRST, l.id LIMIT ${max}`);
  return rows;
}

/** Counts one revision of a listing by raising it. @param dayStart of the marketplace's day */
export async function countRaise(db: Db, listingId: number, dayStart: Instant): Promise<void> {
  await db.execute(sql`
    UPDATE marketplace_listings SET raises_day = ${timestamptz(dayStart)},
      raises_today = CASE WHEN raises_day = ${timestamptz(dayStart)} THEN raises_today + 1 ELSE 1 END
    WHERE listing_id = ${listingId}`);
}

/** What is known of a listing's offers by raising them. */
export async function writeRaise(
  db: Db,
  listingId: number,
  set: Partial<
    Pick<
      typeof marketplaceListings.$inferSelect,
      'autoAcceptPrice' | 'raiseAfter' | 'raiseRefusal' | 'raiseRefused'
    >
  >,
): Promise<void> {
  await db.update(marketplaceListings).set(set).where(eq(marketplaceListings.listingId, listingId));
}
