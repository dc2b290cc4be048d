import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { rowsTable, type TextRow } from '#db/queries/catalog/import-rows.ts';
import { timestamptz } from '#db/sql-values.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import type { Cents, Instant } from '#domain/units.ts';

const SALE_TYPES = {
  externalId: 'text',
  orderRef: 'text',
  lineNumber: 'integer',
  sku: 'text',
  itemId: 'text',
  soldAt: 'timestamptz',
  quantity: 'integer',
  unitPrice: 'numeric',
  revenue: 'numeric',
  shippingRevenue: 'numeric',
  fees: 'numeric',
  restocked: 'integer',
  restockedAt: 'timestamptz',
} as const;

/**
 * Records order lines, each once however often it is synced; a line with changed figures is corrected. What they earned
 * is calculated afterwards: a trigger marks them as due. Lines of items that are no listings of ours are kept until a
 * listing of theirs is added. A line stays with the listing it was recorded for, also when that was deleted since and another one of its SKU was added.
 * @returns how many lines were new or corrected
 */
export async function writeSales(
  tx: Db,
  marketplace: Marketplace,
  lines: readonly TextRow[],
  now: Instant,
): Promise<number> {
  if (lines.length === 0) return 0;
  await writeUnlistedSales(tx, marketplace, lines);
  // What a user entered since stays.
  const isRestockedAnew = sql`sales_history.restocked_told <> excluded.restocked_told`;
  const { rowCount } = await tx.execute(sql`
    INSERT INTO sales_history (listing_id, external_id, order_ref, line_number, sale_date, quantity_sold, unit_price,
      total_revenue, shipping_revenue, fees_told, restocked, restocked_at, restocked_told, created_at)
    SELECT l.id, s."externalId", s."orderRef", s."lineNumber", s."soldAt", s.quantity, s."unitPrice", s.revenue,
      s."shippingRevenue", s.fees, s.restocked, s."restockedAt", s.restocked, ${timestamptz(now)}
    FROM ${rowsTable('s', SALE_TYPES, lines)}
    CROSS JOIN LATERAL (
      SELECT id FROM (
        SELECT o.id, 0 AS place, false AS is_deleted FROM sales_history h JOIN listings o ON o.id = h.listing_id
        WHERE h.external_id = s."externalId" AND o.marketplace = ${marketplace}
        UNION ALL
        SELECT id, 1, deleted_at IS NOT NULL FROM listings WHERE marketplace = ${marketplace}
          AND (sku = s.sku OR (s.sku IS NULL AND marketplace_item_id = s."itemId"))) found
      ORDER BY place, is_deleted, id DESC LIMIT 1) l
    ON CONFLICT (listing_id, external_id) DO UPDATE SET quantity_sold = excluded.quantity_sold,
      unit_price = excluded.unit_price, total_revenue = excluded.total_revenue,
      order_ref = excluded.order_ref, line_number = excluded.line_number,
      shipping_revenue = coalesce(excluded.shipping_revenue,
        CASE WHEN NOT sales_history.shipping_revenue_is_estimate THEN sales_history.shipping_revenue END),
      shipping_revenue_is_estimate = sales_history.shipping_revenue_is_estimate AND excluded.shipping_revenue IS NULL,
      fees_told = coalesce(excluded.fees_told, sales_history.fees_told), restocked_told = excluded.restocked_told,
      restocked = CASE WHEN ${isRestockedAnew} THEN excluded.restocked ELSE sales_history.restocked END,
      restocked_at = CASE WHEN ${isRestockedAnew} THEN excluded.restocked_at ELSE sales_history.restocked_at END
    WHERE (sales_history.quantity_sold, sales_history.unit_price, sales_history.total_revenue, sales_history.order_ref,
        sales_history.line_number)
        IS DISTINCT FROM (excluded.quantity_sold, excluded.unit_price, excluded.total_revenue, excluded.order_ref,
          excluded.line_number)
      OR (excluded.shipping_revenue IS NOT NULL AND (sales_history.shipping_revenue_is_estimate
        OR sales_history.shipping_revenue IS DISTINCT FROM excluded.shipping_revenue))
      OR (excluded.fees_told IS NOT NULL AND sales_history.fees_told IS DISTINCT FROM excluded.fees_told)
      OR ${isRestockedAnew}`);
  return rowCount ?? 0;
}

const UNLISTED_COLUMNS = sql`marketplace, external_id, order_ref, line_number, sku, item_id, sale_date, quantity_sold,
  unit_price, total_revenue, shipping_revenue, fees_told, restocked, restocked_at`;

/** A line `s` as the columns of an unlisted sale. */
function unlistedValues(marketplace: Marketplace): SQL {
  return sql`${marketplace}::text, s."externalId", s."orderRef", s."lineNumber", s.sku, s."itemId", s."soldAt",
      s.quantity, s."unitPrice", s.revenue, s."shippingRevenue", s.fees, s.restocked, s."restockedAt"`;
}

async function writeUnlistedSales(
  tx: Db,
  marketplace: Marketplace,
  lines: readonly TextRow[],
): Promise<void> {
  await tx.execute(sql`
    INSERT INTO unlisted_sales AS u (${UNLISTED_COLUMNS})
    SELECT DISTINCT ON (s."externalId") ${unlistedValues(marketplace)}
    FROM ${rowsTable('s', SALE_TYPES, lines)}
    WHERE NOT EXISTS (SELECT FROM listings l WHERE l.marketplace = ${marketplace}
        AND (l.sku = s.sku OR (s.sku IS NULL AND l.marketplace_item_id = s."itemId")))
      AND NOT EXISTS (SELECT FROM sales_history h JOIN listings o ON o.id = h.listing_id
        WHERE h.external_id = s."externalId" AND o.marketplace = ${marketplace})
    ON CONFLICT (marketplace, external_id) DO UPDATE SET order_ref = excluded.order_ref, line_number = excluded.line_number,
      sku = excluded.sku, item_id = excluded.item_id, sale_date = excluded.sale_date, quantity_sold = excluded.quantity_sold,
      unit_price = excluded.unit_price, total_revenue = excluded.total_revenue,
      shipping_revenue = coalesce(excluded.shipping_revenue, u.shipping_revenue),
      fees_told = coalesce(excluded.fees_told, u.fees_told), restocked = excluded.restocked, restocked_at = excluded.restocked_at,
      is_refunded = false`);
}

/**
 * Records the order lines of these listings that were read before there was a listing of theirs, or paid back before their
 * payment was booked.
 * @param max lines
 * @returns how many lines were no longer without a listing
 */
export async function recordUnlistedSales(
  tx: Db,
  listingIds: readonly string[],
  now: Instant,
  max: number,
): Promise<number> {
  const ids = sql.param([...listingIds]);
  const { rows } = await tx.execute<{ taken: number }>(sql`
    WITH found AS (
      SELECT DISTINCT ON (u.marketplace, u.external_id) u.marketplace, u.external_id, l.id
      FROM unnest(${ids}::bigint[]) AS d (id) JOIN listings l ON l.id = d.id
      CROSS JOIN LATERAL (
        SELECT * FROM unlisted_sales WHERE marketplace = l.marketplace AND sku = l.sku
        UNION ALL
        SELECT * FROM unlisted_sales WHERE marketplace = l.marketplace AND sku IS NULL AND item_id = l.marketplace_item_id) u
      WHERE NOT u.is_refunded OR ${isPaymentBooked(sql`u.marketplace`, sql`u.order_ref`)}
      ORDER BY u.marketplace, u.external_id, l.deleted_at IS NOT NULL, l.id DESC LIMIT ${max}),
    taken AS (
      DELETE FROM unlisted_sales u USING found f WHERE (u.marketplace, u.external_id) = (f.marketplace, f.external_id)
      RETURNING f.id, u.*),
    recorded AS (
      INSERT INTO sales_history (listing_id, external_id, order_ref, line_number, sale_date, quantity_sold, unit_price,
        total_revenue, shipping_revenue, fees_told, restocked, restocked_at, restocked_told, created_at)
      SELECT id, external_id, order_ref, line_number, sale_date, quantity_sold, unit_price, total_revenue, shipping_revenue,
        fees_told, restocked, restocked_at, restocked, ${timestamptz(now)} FROM taken
      ON CONFLICT (listing_id, external_id) DO NOTHING)
    SELECT count(*)::int AS taken FROM taken`);
  return rows[0]?.taken ?? 0;
}

/** Deletes order lines without a listing that were sold before a moment. */
export async function deleteOldUnlistedSales(db: Db, before: Instant): Promise<void> {
  await db.execute(sql`DELETE FROM unlisted_sales WHERE sale_date < ${timestamptz(before)}`);
}

/** Deletes canceled lines. @returns how many sales were deleted */
export async function deleteSales(
  tx: Db,
  marketplace: Marketplace,
  externalIds: readonly string[],
): Promise<number> {
  if (externalIds.length === 0) return 0;
  const ids = sql.param([...externalIds]);
  await tx.execute(sql`
    DELETE FROM unlisted_sales WHERE marketplace = ${marketplace} AND external_id = ANY(${ids}::text[])`);
  const { rowCount } = await tx.execute(sql`
    DELETE FROM sales_history s USING listings l
    WHERE l.id = s.listing_id AND l.marketplace = ${marketplace} AND s.external_id = ANY(${ids}::text[])`);
  return rowCount ?? 0;
}

/**
 * Records lines that were paid back, unless they are recorded: their refund is booked as their payment is. One whose payment
 * is not booked is no sale until it is.
 * @returns how many sales were recorded, and how many of them wait now
 */
export async function writeRefundedSales(
  tx: Db,
  marketplace: Marketplace,
  lines: readonly TextRow[],
  now: Instant,
): Promise<{ recorded: number; waiting: number }> {
  if (lines.length === 0) return { recorded: 0, waiting: 0 };
  const { rows } = await tx.execute<{ externalId: string; isPaid: boolean; isRecorded: boolean }>(sql`
    SELECT s."externalId", ${isPaymentBooked(marketplace, sql`s."orderRef"`)} AS "isPaid",
      EXISTS (SELECT FROM sales_history h JOIN listings l ON l.id = h.listing_id
        WHERE h.external_id = s."externalId" AND l.marketplace = ${marketplace}) AS "isRecorded"
    FROM ${rowsTable('s', SALE_TYPES, lines)}`);
  const found = new Map(rows.map((row) => [row.externalId, row]));
  const chosen = (isPaid: boolean) =>
    lines.filter(({ externalId }) => found.get(externalId ?? '')?.isPaid === isPaid);
  const added = chosen(true).filter(({ externalId }) => found.get(externalId ?? '')?.isRecorded === false);
  const recorded = await writeSales(tx, marketplace, added, now);
  const unpaid = chosen(false);
  const waiting = await deleteSales(
    tx,
    marketplace,
    unpaid.flatMap(({ externalId }) => externalId ?? []),
  );
  if (unpaid.length > 0) {
    await tx.execute(sql`
      INSERT INTO unlisted_sales (${UNLISTED_COLUMNS}, is_refunded)
      SELECT DISTINCT ON (s."externalId") ${unlistedValues(marketplace)}, true FROM ${rowsTable('s', SALE_TYPES, unpaid)}`);
  }
  return { recorded, waiting };
}

/** Whether a payment of the order is booked. */
function isPaymentBooked(marketplace: SQL | Marketplace, orderRef: SQL): SQL {
  return sql`EXISTS (SELECT FROM money_events e WHERE e.marketplace = ${marketplace} AND e.order_ref = ${orderRef}
    AND e.kind = 'principal' AND e.superseded_by IS NULL)`;
}

const FIGURE_TYPES = {
  listingId: 'bigint',
  reviewCount: 'integer',
  averageRating: 'numeric',
  salesRank: 'integer',
  salesRankCategory: 'text',
  buyBoxShare: 'numeric',
} as const;

/**
 * Writes the newest figures of listings, and those of the day. What a marketplace does not report stays unchanged, but
 * for the buy box share: that is of a period, and the share of an earlier one says nothing about it.
 */
export async function writeFigures(tx: Db, figures: readonly TextRow[], now: Instant): Promise<void> {
  if (figures.length === 0) return;
  const table = rowsTable('f', FIGURE_TYPES, figures);
  await tx.execute(sql`
    INSERT INTO listing_analytics (listing_id, review_count, average_rating, sales_rank, sales_rank_category,
      buy_box_percentage, last_updated)
    SELECT "listingId", coalesce("reviewCount", 0), "averageRating", "salesRank", "salesRankCategory", "buyBoxShare",
      ${timestamptz(now)} FROM ${table}
    ORDER BY 1
    ON CONFLICT (listing_id) DO UPDATE SET last_updated = excluded.last_updated,
      review_count = CASE WHEN excluded.review_count > 0 THEN excluded.review_count
        ELSE listing_analytics.review_count END,
      average_rating = coalesce(excluded.average_rating, listing_analytics.average_rating),
      sales_rank = coalesce(excluded.sales_rank, listing_analytics.sales_rank),
      sales_rank_category = coalesce(excluded.sales_rank_category, listing_analytics.sales_rank_category),
      buy_box_percentage = excluded.buy_box_percentage`);
  await tx.execute(sql`
    INSERT INTO listing_days (listing_id, day, review_count, average_rating, sales_rank)
    SELECT "listingId", (${timestamptz(now)} AT TIME ZONE 'UTC')::date, "reviewCount", "averageRating", "salesRank" FROM ${table}
    ORDER BY 1
    ON CONFLICT (listing_id, day) DO UPDATE SET
      review_count = coalesce(excluded.review_count, listing_days.review_count),
      average_rating = coalesce(excluded.average_rating, listing_days.average_rating),
      sales_rank = coalesce(excluded.sales_rank, listing_days.sales_rank)`);
}

/** One observation of who holds the buy box. */
export interface BuyBoxObservation {
  readonly listingId: number;
  readonly isOurs: boolean;
}

/** Counts observations of the buy box, by day, and keeps each for some hours while a rule has lines to ask about them. */
export async function countBuyBoxObservations(
  tx: Db,
  looks: readonly BuyBoxObservation[],
  now: Instant,
): Promise<void> {
  if (looks.length === 0) return;
  await tx.execute(sql`
    INSERT INTO listing_days (listing_id, day, buy_box_polls, buy_box_wins)
    SELECT id, (${timestamptz(now)} AT TIME ZONE 'UTC')::date, 1, wins
    FROM unnest(${sql.param(looks.map(({ listingId }) => listingId))}::bigint[],
      ${sql.param(looks.map(({ isOurs }) => (isOurs ? 1 : 0)))}::integer[]) AS looked (id, wins)
    ORDER BY id
    ON CONFLICT (listing_id, day) DO UPDATE SET buy_box_polls = listing_days.buy_box_polls + 1,
      buy_box_wins = listing_days.buy_box_wins + excluded.buy_box_wins`);
  await tx.execute(sql`
    WITH looked AS (
      SELECT * FROM unnest(${sql.param(looks.map(({ listingId }) => listingId))}::bigint[],
        ${sql.param(looks.map(({ isOurs }) => isOurs))}::boolean[]) AS looked (id, is_ours)
      WHERE EXISTS (SELECT FROM repricing_rules WHERE lines IS NOT NULL AND deleted_at IS NULL))
    INSERT INTO box_readings (listing_id, read_at, is_ours)
    SELECT id, ${timestamptz(now)}, is_ours FROM looked ORDER BY id
    ON CONFLICT (listing_id, read_at) DO NOTHING`);
}

/** Deletes single observations of the buy box that were made before a moment. */
export async function deleteOldBoxReadings(db: Db, before: Instant): Promise<void> {
  await db.execute(sql`DELETE FROM box_readings WHERE read_at <= ${timestamptz(before)}`);
}

/** The fulfillment fee that a marketplace reported for a listing. */
export interface ReportedFulfillmentFee {
  readonly listingId: number;
  readonly fee: Cents;
}

/**
 * Writes the fulfillment fees reported for these listings, where no user entered one.
 * @returns the listings whose fee changed
 */
export async function writeReportedFulfillmentFees(
  tx: Db,
  fees: readonly ReportedFulfillmentFee[],
  now: Instant,
): Promise<number[]> {
  if (fees.length === 0) return [];
  const { rows } = await tx.execute<{ id: number }>(sql`
    UPDATE listings l SET fulfillment_cost = f.cents / 100.0, fulfillment_cost_is_estimate = true,
      updated_at = ${timestamptz(now)}
    FROM unnest(${sql.param(fees.map(({ listingId }) => listingId))}::bigint[],
      ${sql.param(fees.map(({ fee }) => fee))}::bigint[]) AS f (listing_id, cents)
    WHERE l.id = f.listing_id AND (l.fulfillment_cost IS NULL OR l.fulfillment_cost_is_estimate)
      AND l.fulfillment_cost IS DISTINCT FROM f.cents / 100.0
    RETURNING l.id::float8 AS id`);
  return rows.map(({ id }) => id);
}
