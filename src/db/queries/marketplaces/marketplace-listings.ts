import { eq, inArray, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { rowsTable, type TextRow } from '#db/queries/catalog/import-rows.ts';
import { listings } from '#db/schema/listings.ts';
import { marketplaceListings } from '#db/schema/marketplace-syncs.ts';
import { isoTime, timestamptz } from '#db/sql-values.ts';
import type { FulfillmentType, Marketplace } from '#domain/marketplaces.ts';
import { type Cents, type Instant, instant } from '#domain/units.ts';

/** A listing of ours as it stands, with what the marketplace last said of it. */
export interface KnownListing extends Record<string, unknown> {
  readonly id: number;
  readonly sku: string;
  readonly isDeleted: boolean;
  readonly title: string;
  readonly imageUrl: string | null;
  readonly itemId: string | null;
  readonly fulfillmentType: FulfillmentType;
  readonly currentPrice: Cents;
  readonly heldBy: string | null;
  /** When the hold ends, or has ended; null where it ends with Resume alone, and without one. */
  readonly heldUntil: Instant | null;
  readonly isGone: boolean;
  /** Null before the marketplace named it for the first time. */
  readonly quantity: number | null;
  readonly notRepriceableReason: string | null;
}

/** The listings of a marketplace with these SKUs, locked; of a SKU that was deleted and added again the live one. */
export async function lockKnownListings(
  tx: Db,
  marketplace: Marketplace,
  skus: readonly string[],
): Promise<KnownListing[]> {
  const { rows } = await tx.execute<KnownListing>(sql`
    SELECT l.id::float8 AS id, l.sku, l.deleted_at IS NOT NULL AS "isDeleted", l.title, l.image_url AS "imageUrl",
      l.marketplace_item_id AS "itemId", l.fulfillment_type AS "fulfillmentType",
      (l.current_price * 100)::float8 AS "currentPrice", l.held_by AS "heldBy",
      round(date_part('epoch', l.held_until) * 1000) AS "heldUntil", l.missing_since IS NOT NULL AS "isGone", m.quantity,
      m.not_repriceable_reason AS "notRepriceableReason"
    FROM listings l LEFT JOIN marketplace_listings m ON m.listing_id = l.id
    WHERE l.marketplace = ${marketplace} AND l.sku = ANY(${sql.param(skus)}::text[])
      AND (l.deleted_at IS NULL OR NOT EXISTS (SELECT FROM listings o
        WHERE o.marketplace = l.marketplace AND o.sku = l.sku AND o.deleted_at IS NULL))
    ORDER BY l.id FOR NO KEY UPDATE OF l`);
  return rows;
}

/** What a marketplace says of a listing that may have changed. */
export interface ListingFacts {
  readonly id: number;
  readonly title: string;
  readonly imageUrl: string | null;
  readonly itemId: string | null;
  readonly fulfillmentType: FulfillmentType;
}

/** Writes what the marketplace knows better than we do. */
export async function writeListingFacts(tx: Db, rows: readonly ListingFacts[], now: Instant): Promise<void> {
  if (rows.length === 0) return;
  const types = { id: 'bigint', title: 'text', imageUrl: 'text', itemId: 'text', fulfillmentType: 'text' };
  const table = rowsTable(
    'r',
    types,
    rows.map((row) => ({ ...row, id: String(row.id) })),
  );
  await tx.execute(sql`
    UPDATE listings l SET title = r.title, image_url = r."imageUrl", marketplace_item_id = r."itemId",
      fulfillment_type = r."fulfillmentType", updated_at = ${timestamptz(now)}
    FROM ${table} WHERE l.id = r.id`);
}

type FoundWord = Pick<typeof marketplaceListings.$inferSelect, 'isActive' | 'quantity' | 'seenAt'> &
  Pick<typeof listings.$inferSelect, 'missingSince'>;

/** What its marketplace last said of a listing; null when it never did. */
export async function findMarketplaceStatus(db: Db, listingId: number): Promise<FoundWord | null> {
  const { isActive, quantity, seenAt } = marketplaceListings;
  const [row] = await db
    .select({ isActive, quantity, seenAt, missingSince: listings.missingSince })
    .from(marketplaceListings)
    .innerJoin(listings, eq(listings.id, marketplaceListings.listingId))
    .where(eq(marketplaceListings.listingId, listingId));
  return row ?? null;
}

/** One listing as its marketplace names it. */
export interface MarketplaceStatus {
  readonly sku: string;
  readonly keys: Readonly<Record<string, string>>;
  readonly isActive: boolean;
  readonly quantity: number | null;
  readonly notRepriceableReason: string | null;
}

/**
 * Remembers what a marketplace said of its live listings, and stock where it is another than before.
 * @param seenIn when the reading began
 */
export async function writeMarketplaceStatuses(
  tx: Db,
  marketplace: Marketplace,
  words: readonly MarketplaceStatus[],
  seenIn: Instant,
  seenAt: Instant,
): Promise<void> {
  if (words.length === 0) return;
  const table = rowsTable('w', WORD_TYPES, words.map(wordRow));
  await tx.execute(sql`
    WITH said AS (
      SELECT l.id, w.* FROM ${table}
      JOIN listings l ON l.marketplace = ${marketplace} AND l.sku = w.sku AND l.deleted_at IS NULL),
    stocked AS (
      INSERT INTO stock_levels (listing_id, at, marketplace, quantity)
      SELECT s.id, ${timestamptz(seenAt)}, ${marketplace}, s.quantity FROM said s
      LEFT JOIN marketplace_listings m ON m.listing_id = s.id
      WHERE s.quantity IS NOT NULL AND s.quantity IS DISTINCT FROM m.quantity
      ON CONFLICT (listing_id, at) DO NOTHING)
    INSERT INTO marketplace_listings (listing_id, keys, is_active, quantity, not_repriceable_reason, seen_at, seen_in)
    SELECT id, keys, "isActive", quantity, "notRepriceableReason", ${timestamptz(seenAt)}, ${timestamptz(seenIn)} FROM said
    -- In one order for everybody, so that two writers wait for each other instead of deadlocking.
    ORDER BY id
    ON CONFLICT (listing_id) DO UPDATE SET keys = excluded.keys, is_active = excluded.is_active,
      quantity = excluded.quantity, not_repriceable_reason = excluded.not_repriceable_reason, seen_at = excluded.seen_at,
      seen_in = excluded.seen_in, unseen_since = NULL`);
}

const WORD_TYPES = {
  sku: 'text',
  keys: 'jsonb',
  isActive: 'boolean',
  quantity: 'integer',
  notRepriceableReason: 'text',
} as const;

function wordRow({ sku, keys, isActive, quantity, notRepriceableReason }: MarketplaceStatus): TextRow {
  const amount = quantity === null ? null : String(quantity);
  return {
    sku,
    keys: JSON.stringify(keys),
    isActive: String(isActive),
    quantity: amount,
    notRepriceableReason,
  };
}

/**
 * Remembers which prices in force a marketplace was read to ask, so that the engine may go on from them. A listing that
 * costs something else here, because a price is on its way or moved since, waits for the next reading.
 * @param term of the connection that was read
 */
export async function markPricesRead(
  tx: Db,
  marketplace: Marketplace,
  term: number,
  prices: readonly { readonly sku: string; readonly price: string }[],
): Promise<void> {
  if (prices.length === 0) return;
  const table = rowsTable('p', { sku: 'text', price: 'numeric' }, prices);
  await tx.execute(sql`
    WITH told AS (
      UPDATE marketplace_listings m SET price_verified_generation = ${term}
      FROM (SELECT k.listing_id FROM ${table}
        JOIN listings l ON l.marketplace = ${marketplace} AND l.sku = p.sku AND l.deleted_at IS NULL
          AND l.current_price = p.price
        JOIN marketplace_listings k ON k.listing_id = l.id
        WHERE k.price_verified_generation IS NULL OR k.price_verified_generation < ${term}
        ORDER BY k.listing_id FOR NO KEY UPDATE OF k) same
      WHERE m.listing_id = same.listing_id RETURNING m.listing_id)
    SELECT mark_due((SELECT array_agg(listing_id) FROM told), 'marketplace')`);
}

/** What these listings cost at their marketplace is not known any more: nobody compared it while they were deleted. */
export async function forgetPricesRead(tx: Db, ids: readonly number[]): Promise<void> {
  await tx
    .update(marketplaceListings)
    .set({ priceVerifiedGeneration: null })
    .where(inArray(marketplaceListings.listingId, [...ids]));
}

/** Whose offers are replaced now: nobody else replaces them until the end of the transaction. */
export async function lockOffers(tx: Db, ids: readonly number[]): Promise<void> {
  await tx.execute(sql`
    SELECT FROM marketplace_listings WHERE listing_id = ANY(${sql.param(ids)}::bigint[])
    ORDER BY listing_id FOR NO KEY UPDATE`);
}

/** As of when the offers of these listings are that are kept; without those that have none. */
export async function offerTimes(db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, Instant>> {
  const { rows } = await db.execute<{ id: number; at: number | null }>(sql`
    SELECT m.listing_id::float8 AS id,
      (extract(epoch FROM greatest(m.offers_seen_at, max(o.seen_at))) * 1000)::float8 AS at
    FROM marketplace_listings m LEFT JOIN competitor_offers o ON o.listing_id = m.listing_id
    WHERE m.listing_id = ANY(${sql.param(ids)}::bigint[]) GROUP BY m.listing_id, m.offers_seen_at`);
  return new Map(rows.flatMap(({ id, at }) => (at === null ? [] : [[id, instant(at)]])));
}

/** Remembers as of when the offers of listings are. */
export async function writeOfferTimes(
  tx: Db,
  times: readonly { readonly listingId: number; readonly seenAt: Instant }[],
): Promise<void> {
  const table = rowsTable(
    't',
    { id: 'bigint', at: 'timestamptz' },
    times.map(({ listingId, seenAt }) => ({ id: String(listingId), at: isoTime(seenAt) })),
  );
  await tx.execute(sql`
    UPDATE marketplace_listings m SET offers_seen_at = t.at FROM ${table} WHERE m.listing_id = t.id`);
}

/** A listing by the number that its marketplace gave the item, and its condition there. */
export interface ListingOfItem extends Record<string, unknown> {
  readonly listingId: number;
  readonly itemId: string;
  /** "New" unless it says otherwise. */
  readonly condition: string;
}

/** Live listings of these items that buyers can see. */
export async function listByItem(
  db: Db,
  marketplace: Marketplace,
  itemIds: readonly string[],
): Promise<ListingOfItem[]> {
  const { rows } = await db.execute<ListingOfItem>(sql`
    SELECT l.id::float8 AS "listingId", l.marketplace_item_id AS "itemId",
      coalesce(m.keys ->> 'condition', 'New') AS condition
    FROM marketplace_listings m JOIN listings l ON l.id = m.listing_id
    WHERE l.marketplace = ${marketplace} AND l.deleted_at IS NULL AND l.missing_since IS NULL AND m.is_active
      AND l.marketplace_item_id = ANY(${sql.param(itemIds)}::text[])
    ORDER BY l.id`);
  return rows;
}
