import { eq, inArray, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { rowsTable, type TextRow } from '#db/queries/catalog/import-rows.ts';
import { listings } from '#db/schema/listings.ts';
import { marketplaceListings } from '#db/schema/marketplace-syncs.ts';
import { cents, isoTime, millis, timestamptz } from '#db/sql-values.ts';
import type { ListingChannel } from '#domain/connections/listing-channel.ts';
import { decimalFromCents } from '#domain/decimal.ts';
import type { NotRepriceable } from '#domain/decision/not-repriceable.ts';
import type { MarketplaceLimits } from '#domain/limits/marketplace-limits.ts';
import type { FulfillmentType, Marketplace } from '#domain/marketplaces.ts';
import type { Cents, Instant } from '#domain/units.ts';

/** A listing of ours with what the marketplace last reported about it. */
export interface KnownListing extends Record<string, unknown> {
  readonly id: number;
  readonly sku: string;
  readonly isDeleted: boolean;
  readonly title: string;
  readonly imageUrl: string | null;
  readonly itemId: string | null;
  readonly fulfillmentType: FulfillmentType;
  readonly productType: string | null;
  /** The marketplace's category with its ancestors, from the top. */
  readonly externalCategory: string | null;
  /** Names the listings that share its price; null for none. */
  readonly groupKey: string | null;
  readonly currentPrice: Cents;
  readonly heldBy: string | null;
  /** When the hold ends, or has ended; null for a hold without end, and without one. */
  readonly heldUntil: Instant | null;
  readonly isMissing: boolean;
  /** Null before the first sync that contained it. */
  readonly quantity: number | null;
  readonly notRepriceableReason: string | null;
  /** False before the first sync that contained it. */
  readonly isReasonConfirmable: boolean;
  readonly reasonUntil: Instant | null;
  readonly reasonExpiresAt: Instant | null;
  readonly sellerMin: Cents | null;
  readonly sellerMax: Cents | null;
  readonly mapPrice: Cents | null;
  readonly autoAcceptPrice: Cents | null;
  /** What the marketplace last named in place of a price in whole cents; null when it named one, or none. */
  readonly priceNotInCents: string | null;
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
      l.product_type AS "productType", l.external_category AS "externalCategory", l.group_key AS "groupKey",
      ${cents('l.current_price')} AS "currentPrice", l.held_by AS "heldBy",
      round(date_part('epoch', l.held_until) * 1000) AS "heldUntil", l.missing_since IS NOT NULL AS "isMissing", m.quantity,
      m.not_repriceable_reason AS "notRepriceableReason",
      coalesce(m.reason_confirmable, false) AS "isReasonConfirmable", ${millis('m.reason_until')} AS "reasonUntil",
      ${millis('m.reason_expires_at')} AS "reasonExpiresAt", ${cents('m.seller_min')} AS "sellerMin",
      ${cents('m.seller_max')} AS "sellerMax", ${cents('m.map_price')} AS "mapPrice",
      ${cents('m.auto_accept_price')} AS "autoAcceptPrice", m.price_not_in_cents AS "priceNotInCents"
    FROM listings l LEFT JOIN marketplace_listings m ON m.listing_id = l.id
    WHERE l.marketplace = ${marketplace} AND l.sku = ANY(${sql.param(skus)}::text[])
      AND (l.deleted_at IS NULL OR NOT EXISTS (SELECT FROM listings o
        WHERE o.marketplace = l.marketplace AND o.sku = l.sku AND o.deleted_at IS NULL))
    ORDER BY l.id FOR NO KEY UPDATE OF l`);
  return rows;
}

/** Data of a listing that its marketplace may have changed. */
export type ListingFacts = Pick<
  KnownListing,
  'id' | 'title' | 'imageUrl' | 'itemId' | 'fulfillmentType' | 'productType' | 'externalCategory'
>;

/** Updates the data whose source is the marketplace. */
export async function writeListingFacts(tx: Db, rows: readonly ListingFacts[], now: Instant): Promise<void> {
  if (rows.length === 0) return;
  const table = rowsTable(
    'r',
    FACT_TYPES,
    rows.map((row) => ({ ...row, id: String(row.id) })),
  );
  await tx.execute(sql`
    UPDATE listings l SET title = r.title, image_url = r."imageUrl", marketplace_item_id = r."itemId",
      fulfillment_type = r."fulfillmentType", product_type = r."productType",
      external_category = r."externalCategory", updated_at = ${timestamptz(now)}
    FROM ${table} WHERE l.id = r.id`);
}

/** Puts listings into price groups, or out of them; prices on their way to a group that changes end. */
export async function writeGroupKeys(
  tx: Db,
  rows: readonly { readonly id: number; readonly groupKey: string | null }[],
  now: Instant,
): Promise<void> {
  if (rows.length === 0) return;
  const table = rowsTable(
    'r',
    { id: 'bigint', groupKey: 'text' },
    rows.map(({ id, groupKey }) => ({ id: String(id), groupKey })),
  );
  await tx.execute(sql`
    UPDATE listings l SET group_key = r."groupKey", updated_at = ${timestamptz(now)} FROM ${table} WHERE l.id = r.id`);
}

const FACT_TYPES = {
  id: 'bigint',
  title: 'text',
  imageUrl: 'text',
  itemId: 'text',
  fulfillmentType: 'text',
  productType: 'text',
  externalCategory: 'text',
} as const;

type FoundStatus = Pick<
  typeof marketplaceListings.$inferSelect,
  'isActive' | 'quantity' | 'seenAt' | 'autoAcceptPrice' | 'raiseRefusal'
> &
  Pick<typeof listings.$inferSelect, 'missingSince'>;

/** What its marketplace last reported about a listing; null when it never did. */
export async function findMarketplaceStatus(db: Db, listingId: number): Promise<FoundStatus | null> {
  const { isActive, quantity, seenAt, autoAcceptPrice, raiseRefusal } = marketplaceListings;
  const [row] = await db
    .select({
      isActive,
      quantity,
      seenAt,
      autoAcceptPrice,
      raiseRefusal,
      missingSince: listings.missingSince,
    })
    .from(marketplaceListings)
    .innerJoin(listings, eq(listings.id, marketplaceListings.listingId))
    .where(eq(marketplaceListings.listingId, listingId));
  return row ?? null;
}

/** One listing as its marketplace reports it. */
export interface MarketplaceStatus {
  readonly sku: string;
  readonly keys: Readonly<Record<string, string>>;
  readonly channel: ListingChannel | null;
  readonly isActive: boolean;
  readonly quantity: number | null;
  readonly notRepriceableReason: string | null;
  readonly isReasonConfirmable: boolean;
  readonly reasonUntil: Instant | null;
  readonly reasonExpiresAt: Instant | null;
  readonly priceLimits: MarketplaceLimits | null;
  readonly autoAcceptPrice: Cents | null;
  readonly priceNotInCents: string | null;
}

/**
 * Stores what a marketplace reported about its live listings, and stock where it changed.
 * @param seenIn when the sync started
 */
export async function writeMarketplaceStatuses(
  tx: Db,
  marketplace: Marketplace,
  words: readonly MarketplaceStatus[],
  seenIn: Instant,
  seenAt: Instant,
): Promise<void> {
  if (words.length === 0) return;
  const table = rowsTable('w', STATUS_TYPES, words.map(statusRow));
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
    INSERT INTO marketplace_listings (listing_id, keys, channel, is_active, quantity, not_repriceable_reason, reason_confirmable,
      reason_until, reason_expires_at, price_not_in_cents, seller_min, seller_max, map_price, auto_accept_price, seen_at, seen_in)
    SELECT id, keys, channel, "isActive", quantity, "notRepriceableReason", "isReasonConfirmable", "reasonUntil",
      "reasonExpiresAt", "priceNotInCents", min, max, map, accept,
      ${timestamptz(seenAt)}, ${timestamptz(seenIn)}
    FROM said
    -- In one order for all writers, so that two of them wait for each other instead of deadlocking.
    ORDER BY id
    ON CONFLICT (listing_id) DO UPDATE SET keys = excluded.keys, channel = excluded.channel,
      is_active = excluded.is_active,
      quantity = excluded.quantity, not_repriceable_reason = excluded.not_repriceable_reason,
      reason_confirmable = excluded.reason_confirmable, reason_until = excluded.reason_until,
      reason_expires_at = excluded.reason_expires_at, price_not_in_cents = excluded.price_not_in_cents,
      seller_min = excluded.seller_min, seller_max = excluded.seller_max, map_price = excluded.map_price,
      auto_accept_price = excluded.auto_accept_price,
      seen_at = excluded.seen_at, seen_in = excluded.seen_in, unseen_since = NULL`);
}

/** Records where a listing was found while its price was sent. */
export async function writeListingPlace(
  tx: Db,
  listingId: number,
  place: Pick<MarketplaceStatus, 'keys'> & { readonly channel: ListingChannel },
): Promise<void> {
  await tx.update(marketplaceListings).set(place).where(eq(marketplaceListings.listingId, listingId));
}

/** Records the seller's own limits of a price, as found right before it was sent. */
export async function writePriceLimits(
  tx: Db,
  listingId: number,
  { min, max, map }: MarketplaceLimits,
): Promise<void> {
  await tx
    .update(marketplaceListings)
    .set({ sellerMin: min, sellerMax: max, mapPrice: map })
    .where(eq(marketplaceListings.listingId, listingId));
}

/**
 * Records why the price of a listing must not be changed, as found right before it was sent.
 * @param expiresAt no longer the reason after that: only some syncs report when it is over
 */
export async function writeFoundReason(
  tx: Db,
  listingId: number,
  { reason, isConfirmable, until }: NotRepriceable,
  expiresAt: Instant,
): Promise<void> {
  await tx
    .update(marketplaceListings)
    .set({
      notRepriceableReason: reason,
      isReasonConfirmable: isConfirmable,
      reasonUntil: until,
      reasonExpiresAt: expiresAt,
    })
    .where(eq(marketplaceListings.listingId, listingId));
}

const STATUS_TYPES = {
  sku: 'text',
  keys: 'jsonb',
  channel: 'text',
  isActive: 'boolean',
  quantity: 'integer',
  notRepriceableReason: 'text',
  isReasonConfirmable: 'boolean',
  reasonUntil: 'timestamptz',
  reasonExpiresAt: 'timestamptz',
  min: 'numeric',
  max: 'numeric',
  map: 'numeric',
  accept: 'numeric',
  priceNotInCents: 'text',
} as const;

function statusRow(status: MarketplaceStatus): TextRow {
  const { sku, keys, channel, isActive, quantity, notRepriceableReason, priceNotInCents, priceLimits } =
    status;
  const { isReasonConfirmable, reasonUntil, reasonExpiresAt } = status;
  const amount = quantity === null ? null : String(quantity);
  const decimal = (limit: Cents | null | undefined) => (limit == null ? null : decimalFromCents(limit));
  return {
    min: decimal(priceLimits?.min),
    max: decimal(priceLimits?.max),
    map: decimal(priceLimits?.map),
    accept: decimal(status.autoAcceptPrice),
    sku,
    channel,
    keys: JSON.stringify(keys),
    isActive: String(isActive),
    quantity: amount,
    notRepriceableReason,
    isReasonConfirmable: String(isReasonConfirmable),
    reasonUntil: timeOf(reasonUntil),
    reasonExpiresAt: timeOf(reasonExpiresAt),
    priceNotInCents: priceNotInCents?.slice(0, 80) ?? null,
  };
}

function timeOf(at: Instant | null): string | null {
  return at === null ? null : isoTime(at);
}

/**
 * Records which current prices a sync has confirmed, so that they may be changed automatically. A listing with another
 * price here, because one is in progress or was changed since, needs the next sync.
 * @param term generation of the connection that was synced
 */
export async function markPricesVerified(
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

/** Marks the current prices of these listings as unconfirmed: they were not compared while they were deleted. */
export async function clearPricesVerified(tx: Db, ids: readonly number[]): Promise<void> {
  await tx
    .update(marketplaceListings)
    .set({ priceVerifiedGeneration: null })
    .where(inArray(marketplaceListings.listingId, [...ids]));
}

/** A listing by the marketplace's item number, and its condition there. */
export interface ListingOfItem extends Record<string, unknown> {
  readonly listingId: number;
  readonly itemId: string;
  /** "New" by default. */
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
