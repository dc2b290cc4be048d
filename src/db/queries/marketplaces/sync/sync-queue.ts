import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { countedCharge } from '#db/queries/catalog/counted-charge.ts';
import { cents, isoTime, pastTime, timestamptz } from '#db/sql-values.ts';
import type { FulfillmentType, Marketplace } from '#domain/marketplaces.ts';
import type { Cents, Instant } from '#domain/units.ts';

/*
 * Data that is synced listing by listing, and which listings are next. A call budget may end a sync at any of them: the
 * next one continues with those that waited longest.
 */

/** Listings of a marketplace whose last sync of this kind is older than a time, or in the future by a clock that was ahead. */
export interface SyncQueue {
  readonly kind: 'offers' | 'figures' | 'fees' | 'featured_prices';
  readonly marketplace: Marketplace;
  readonly syncedBefore: Instant;
  /** A later time for listings that the missing fulfillment fee blocks; those whose price changed since need not wait. */
  readonly blockedBefore?: Instant;
  /** When the fees of the marketplace's warehouse last changed on a known date: what was reported before is asked again. */
  readonly warehouseChangedAt?: Instant | null;
  /** Questions about fees are open that need not wait longer than this. */
  readonly openAt?: Instant;
}

const SYNCED_AT: Readonly<Record<SyncQueue['kind'], string>> = {
  offers: 'offers_read_at',
  figures: 'figures_read_at',
  fees: 'fees_read_at',
  featured_prices: 'featured_price_read_at',
};

/** A listing with the identifiers for calls to its marketplace, and its price in cents; for fees the price to ask for. */
export interface ListingToSync extends Record<string, unknown> {
  readonly listingId: number;
  readonly sku: string;
  readonly itemId: string | null;
  readonly fulfillmentType: FulfillmentType;
  readonly keys: Readonly<Record<string, string>>;
  readonly price: number;
  readonly shippingCharge: number;
}

/** Only where another offer is featured, or none, it matters what it takes. */
const IS_CONTESTED = sql`AND NOT EXISTS (SELECT FROM listing_metrics x WHERE x.listing_id = l.id AND x.holds_buy_box)`;

/** Live listings that the marketplace shows to buyers. */
function among(queue: SyncQueue, now: Instant): SQL {
  const { kind, marketplace, syncedBefore, blockedBefore, warehouseChangedAt = null, openAt } = queue;
  const syncedAt = sql.raw(`m.${SYNCED_AT[kind]}`);
  const isOutdated =
    warehouseChangedAt === null
      ? sql``
      : sql`OR (l.fulfillment_type = 'FBA/WFS' AND ${syncedAt} < ${timestamptz(warehouseChangedAt)})`;
  const isBlocked =
    blockedBefore === undefined
      ? sql``
      : sql`OR (l.fulfillment_type = 'FBA/WFS' AND (
          (l.fulfillment_cost IS NULL AND ${syncedAt} < ${timestamptz(blockedBefore)})
          -- The price moved to where its fee is not known.
          OR EXISTS (SELECT FROM listing_metrics x, price_history h
            WHERE x.listing_id = l.id AND 'no_fulfillment_cost' = ANY(x.missing_facts)
              AND h.listing_id = l.id AND h.id = l.current_price_id
              AND h.timestamp > ${syncedAt} AND h.timestamp <= ${timestamptz(now)})))`;
  // The price depends on the offers: what was read before they changed is read again.
  const isChanged =
    kind === 'featured_prices'
      ? sql`OR EXISTS (SELECT FROM competitor_prices c
          WHERE c.listing_id = l.id AND c.marketplace = l.marketplace
            AND c.timestamp > ${syncedAt} AND c.timestamp <= ${timestamptz(now)})`
      : sql``;
  const isOpen =
    openAt === undefined
      ? sql``
      : sql`OR (m.fee_ask_price IS NOT NULL AND coalesce(m.fee_ask_after <= ${timestamptz(openAt)}, true))`;
  return sql`FROM marketplace_listings m JOIN listings l ON l.id = m.listing_id
    WHERE l.marketplace = ${marketplace} AND l.deleted_at IS NULL AND l.missing_since IS NULL AND m.is_active
      ${kind === 'featured_prices' ? IS_CONTESTED : sql``}
      AND (${syncedAt} IS NULL OR ${syncedAt} < ${timestamptz(syncedBefore)} OR ${syncedAt} > ${timestamptz(now)} ${isBlocked} ${isOutdated} ${isChanged} ${isOpen})`;
}

/**
 * Those that waited longest first; for fees, open questions before what was asked already.
 * @param now not the beginning of the sync: what was synced since would be in the future
 */
export async function nextInSyncQueue(
  db: Db,
  queue: SyncQueue,
  now: Instant,
  limit: number,
): Promise<ListingToSync[]> {
  const syncedAt = pastTime(`m.${SYNCED_AT[queue.kind]}`, now);
  const { rows } = await db.execute<ListingToSync>(sql`
    SELECT l.id::float8 AS "listingId", l.sku, l.marketplace_item_id AS "itemId",
      l.fulfillment_type AS "fulfillmentType", m.keys,
      (${queue.kind === 'fees' ? sql`coalesce(m.fee_ask_price, l.current_price)` : sql`l.current_price`} * 100)::float8 AS price,
      ${cents(countedCharge())} AS "shippingCharge"
    ${among(queue, now)}
    ORDER BY ${queue.kind === 'fees' ? sql`${syncedAt} IS NOT NULL, m.fee_ask_price IS NULL,` : sql``}
      ${syncedAt} NULLS FIRST, l.id LIMIT ${limit}`);
  return rows;
}

/** How many {@link nextInSyncQueue} would return without a limit. */
export async function countSyncQueue(db: Db, queue: SyncQueue, now: Instant): Promise<number> {
  const { rows } = await db.execute<{ count: number }>(
    sql`SELECT count(*)::int AS count ${among(queue, now)}`,
  );
  return rows[0]?.count ?? 0;
}

/** Records that these listings were synced, with or without a response. An open question about their fees is closed. */
export async function markSynced(
  db: Db,
  kind: SyncQueue['kind'],
  ids: readonly number[],
  at: Instant,
): Promise<void> {
  if (ids.length === 0) return;
  await db.execute(sql`
    UPDATE marketplace_listings m SET ${sql.raw(SYNCED_AT[kind])} = ${timestamptz(at)}
      ${kind === 'fees' ? sql`, fee_ask_price = NULL, fee_ask_after = NULL` : sql``}
    -- In one order for all writers: several kinds are synced at the same time.
    FROM (SELECT listing_id FROM marketplace_listings WHERE listing_id = ANY(${sql.param(ids)}::bigint[])
      ORDER BY listing_id FOR NO KEY UPDATE) locked
    WHERE m.listing_id = locked.listing_id`);
}

/** For which price a listing is asked next. */
export interface FeeQuestionToAsk {
  readonly listingId: number;
  readonly price: Cents;
  /** Not before; null: at once. */
  readonly after: Instant | null;
}

/** Opens questions about fees. */
export async function requestFees(db: Db, questions: readonly FeeQuestionToAsk[]): Promise<void> {
  if (questions.length === 0) return;
  await db.execute(sql`
    UPDATE marketplace_listings m SET fee_ask_price = q.price / 100.0, fee_ask_after = q.after
    FROM (SELECT m.listing_id, q.price, q.after FROM unnest(${sql.param(questions.map(({ listingId }) => listingId))}::bigint[],
        ${sql.param(questions.map(({ price }) => price))}::bigint[],
        ${sql.param(questions.map(({ after }) => (after === null ? null : isoTime(after))))}::timestamptz[]) AS q (listing_id, price, after)
      JOIN marketplace_listings m ON m.listing_id = q.listing_id ORDER BY 1 FOR NO KEY UPDATE OF m) q
    WHERE m.listing_id = q.listing_id`);
}

/** Which of the listings without a margin floor to name. */
interface WithoutFloor {
  /** The ID of the last one that was checked. */
  readonly after: number;
  /** Of listings whose fee was requested since then only those with later costs. */
  readonly before: Instant;
  readonly now: Instant;
  readonly limit: number;
}

/**
 * Listings that are blocked without a margin floor although their fee was reported and their costs are known, without an open
 * question: their costs were entered after the answer, or changed, and the fee is not known where the floor is now. Whether or
 * not the last answer could be used, a listing is named once for each change of its costs and else once a day.
 */
export async function listWithoutFloor(
  db: Db,
  marketplace: Marketplace,
  { after, before, now, limit }: WithoutFloor,
): Promise<number[]> {
  // Costs of the future, after the clock was set back, would be newer than every answer.
  const { rows } = await db.execute<{ id: number }>(sql`
    SELECT l.id::float8 AS id FROM listings l JOIN marketplace_listings m ON m.listing_id = l.id
    JOIN listing_metrics x ON x.listing_id = l.id
    WHERE l.marketplace = ${marketplace} AND l.id > ${after} AND l.deleted_at IS NULL AND l.missing_since IS NULL AND m.is_active
      AND m.fee_ask_price IS NULL AND x.outcome = 'blocked'
      AND x.is_fee_told AND x.total_cost IS NOT NULL AND x.margin_floor IS NULL
      AND (m.fees_read_at <= ${timestamptz(before)} OR EXISTS (SELECT FROM sku_costs c JOIN skus s ON s.id = c.sku_id
        WHERE c.entered_at > m.fees_read_at AND c.entered_at <= ${timestamptz(now)} AND (s.sku = l.sku
          OR s.id IN (SELECT b.component_sku_id FROM bundle_components b WHERE b.listing_sku = l.sku))))
    ORDER BY l.id LIMIT ${limit}`);
  return rows.map(({ id }) => id);
}

/**
 * Asks again for the fees of live listings of the same marketplace, product type and fulfillment as these, at their current
 * price, but for those with an open question.
 * @param before those that were asked since need not be asked again
 */
export async function requestFeesLike(db: Db, ids: readonly number[], before: Instant): Promise<void> {
  if (ids.length === 0) return;
  await db.execute(sql`
    UPDATE marketplace_listings m SET fee_ask_price = q.current_price, fee_ask_after = NULL
    FROM (SELECT m.listing_id, l.current_price
      FROM (SELECT DISTINCT marketplace, product_type, fulfillment_type FROM listings
        WHERE id = ANY(${sql.param(ids)}::bigint[]) AND product_type IS NOT NULL) c
      JOIN listings l ON (l.marketplace, l.product_type, l.fulfillment_type) = (c.marketplace, c.product_type, c.fulfillment_type)
        AND l.deleted_at IS NULL
      JOIN marketplace_listings m ON m.listing_id = l.id AND m.fee_ask_price IS NULL
        AND m.fees_read_at < ${timestamptz(before)}
      ORDER BY 1 FOR NO KEY UPDATE OF m) q
    WHERE m.listing_id = q.listing_id`);
}

/**
 * Asks again for the fees of one live listing of each product type and fulfillment of a marketplace of which none was requested a
 * while, the one that waited longest, at its current price.
 * @param before one that was asked since is enough
 */
export async function requestOneOfEachType(db: Db, marketplace: Marketplace, before: Instant): Promise<void> {
  await db.execute(sql`
    UPDATE marketplace_listings m SET fee_ask_price = q.current_price, fee_ask_after = NULL
    FROM (SELECT m.listing_id, l.current_price
      FROM (SELECT DISTINCT ON (l.product_type, l.fulfillment_type) l.id,
          max(m.fees_read_at) OVER (PARTITION BY l.product_type, l.fulfillment_type) AS newest
        FROM listings l JOIN marketplace_listings m ON m.listing_id = l.id
        WHERE l.marketplace = ${marketplace} AND l.product_type IS NOT NULL AND l.deleted_at IS NULL
          AND l.missing_since IS NULL AND m.is_active AND m.fees_read_at IS NOT NULL
        ORDER BY l.product_type, l.fulfillment_type, m.fees_read_at, l.id) c
      JOIN listings l ON l.id = c.id JOIN marketplace_listings m ON m.listing_id = c.id
      WHERE c.newest < ${timestamptz(before)} AND m.fee_ask_price IS NULL ORDER BY 1 FOR NO KEY UPDATE OF m) q
    WHERE m.listing_id = q.listing_id`);
}
