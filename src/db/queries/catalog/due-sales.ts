import { sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { cents, isoTime, millis, timestamptz } from '#db/sql-values.ts';
import { decimalFromCents } from '#domain/decimal.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import type { MoneyKind, ReportedFee } from '#domain/money/money-event.ts';
import type { DatedBundle, DatedListingCosts, DatedSkuCosts, DatedTier } from '#domain/sales/dated-costs.ts';
import type { MONEY_STATES, SalePart, SalePartText, SettledSale } from '#domain/sales/settle-sale.ts';
import type { Cents, Instant } from '#domain/units.ts';
import { IS_BUNDLE_CODE } from './bundle-codes.ts';
import { rowsTable, type TextRow } from './import-rows.ts';

/** Sales of a listing that are to be calculated again. */
export type DueSales = {
  readonly listingId: number;
  readonly since: Instant;
  /** Of the sales of exactly that moment only those with a higher ID. */
  readonly afterId: number;
};

/**
 * The listings whose sales are due, those with the newest due sales first, locked until the transaction ends: what they
 * are calculated from cannot change unnoticed in between. Skips what another transaction has locked.
 */
export async function takeDueSales(tx: Db, limit: number): Promise<DueSales[]> {
  const { rows } = await tx.execute<DueSales>(sql`
    SELECT listing_id::float8 AS "listingId", ${millis('since')} AS since, after_id::float8 AS "afterId" FROM sales_due
    ORDER BY since DESC NULLS LAST, listing_id DESC NULLS LAST LIMIT ${limit} FOR UPDATE SKIP LOCKED`);
  return rows;
}

/** An order line with what was told of it. */
export type SaleRow = {
  readonly id: number;
  readonly listingId: number;
  readonly marketplace: Marketplace;
  /** The SKU of its listing. */
  readonly sku: string;
  readonly externalId: string | null;
  readonly orderRef: string | null;
  readonly lineNumber: number | null;
  readonly soldAt: Instant;
  readonly quantity: number;
  readonly revenue: Cents;
  readonly shippingRevenue: Cents | null;
  readonly isShippingEstimate: boolean;
  readonly feesTold: Cents | null;
  /** Units that came back into stock, and when. */
  readonly restocked: number;
  readonly restockedAt: Instant | null;
  /** What its marketplace booked until a day after it was read. */
  readonly isDayRead: boolean;
};

/** The columns of a {@link SaleRow}, of a sale `h` and its listing `l`. */
export const SALE = sql`h.id::float8 AS id, h.listing_id::float8 AS "listingId", l.marketplace, l.sku,
  h.external_id AS "externalId", h.order_ref AS "orderRef",
  h.line_number AS "lineNumber", ${millis('h.sale_date')} AS "soldAt", h.quantity_sold AS quantity,
  ${cents('h.total_revenue')} AS revenue, ${cents('h.shipping_revenue')} AS "shippingRevenue",
  h.shipping_revenue_is_estimate AS "isShippingEstimate", ${cents('h.fees_told')} AS "feesTold",
  h.restocked, ${millis('h.restocked_at')} AS "restockedAt",
  EXISTS (SELECT FROM money_reads r WHERE r.marketplace = l.marketplace AND r.read_from <= h.sale_date
    AND r.read_until - interval '1 day' >= h.sale_date) AS "isDayRead"`;

/** The due sales, listing by listing in the order given, the oldest of each first. */
export async function readDueSales(tx: Db, due: readonly DueSales[], limit: number): Promise<SaleRow[]> {
  const rows = due.map(({ listingId, since, afterId }) => ({
    id: String(listingId),
    since: isoTime(since),
    after: String(afterId),
    place: String(due.findIndex((each) => each.listingId === listingId)),
  }));
  const types = { id: 'bigint', since: 'timestamptz', after: 'bigint', place: 'integer' };
  const { rows: sales } = await tx.execute<SaleRow>(sql`
    SELECT ${SALE} FROM ${rowsTable('d', types, rows)}
    JOIN listings l ON l.id = d.id
    CROSS JOIN LATERAL (SELECT * FROM sales_history s WHERE s.listing_id = d.id AND s.sale_date >= d.since
        AND (s.sale_date > d.since OR s.id > d.after)
      ORDER BY s.sale_date, s.id LIMIT ${limit}) h
    ORDER BY d.place, h.sale_date, h.id LIMIT ${limit}`);
  return sales;
}

/** All recorded lines of these orders, on every marketplace. */
export async function readOrders(tx: Db, orderRefs: readonly string[]): Promise<SaleRow[]> {
  if (orderRefs.length === 0) return [];
  const { rows } = await tx.execute<SaleRow>(sql`
    SELECT ${SALE} FROM sales_history h JOIN listings l ON l.id = h.listing_id
    WHERE h.order_ref = ANY(${sql.param([...orderRefs])}::text[])`);
  return rows;
}

/** Sales of which something was booked, locked as those of {@link takeDueSales}. */
export async function takeSalesWithMoney(tx: Db, limit: number): Promise<SaleRow[]> {
  const { rows } = await tx.execute<SaleRow>(sql`
    WITH due AS (SELECT sale_id FROM sale_money_due ORDER BY sale_id DESC LIMIT ${limit} FOR UPDATE SKIP LOCKED)
    SELECT ${SALE} FROM due JOIN sales_history h ON h.id = due.sale_id JOIN listings l ON l.id = h.listing_id`);
  return rows;
}

/** Removes them once they are calculated. */
export async function finishSalesWithMoney(tx: Db, ids: readonly number[]): Promise<void> {
  await tx.execute(sql`DELETE FROM sale_money_due WHERE sale_id = ANY(${sql.param([...ids])}::bigint[])`);
}

/** An amount that was booked for an order or one of its lines. */
export type OrderMoneyRow = {
  readonly marketplace: Marketplace;
  readonly orderRef: string | null;
  readonly lineRef: string | null;
  readonly kind: MoneyKind;
  readonly rawType: string;
  readonly amount: Cents;
  readonly sku: string | null;
  readonly quantity: number | null;
  readonly postedAt: Instant;
  readonly releasedAt: Instant | null;
  readonly fee?: ReportedFee;
};

/** What was booked for these orders and lines, on every marketplace, without money that was only moved. */
export async function readOrderMoney(
  tx: Db,
  orderRefs: readonly string[],
  lineRefs: readonly string[],
): Promise<OrderMoneyRow[]> {
  const { rows } = await tx.execute<Omit<OrderMoneyRow, 'fee'> & ReportedFee & Record<string, unknown>>(sql`
    SELECT marketplace, order_ref AS "orderRef", line_ref AS "lineRef", kind, raw_type AS "rawType", ${cents('amount')} AS amount, sku, quantity,
      ${millis('posted_at')} AS "postedAt", ${millis('released_at')} AS "releasedAt",
      ${cents('fee_base')} AS base, ${cents('fee_saved')} AS saved, fee_category AS category
    FROM money_events WHERE superseded_by IS NULL AND kind <> 'transfer'
      AND (order_ref = ANY(${sql.param([...orderRefs])}::text[]) OR line_ref = ANY(${sql.param([...lineRefs])}::text[]))
    ORDER BY id`);
  return rows.map(({ base, saved, category, ...row }) =>
    base === null && saved === null && category === null ? row : { ...row, fee: { base, saved, category } },
  );
}

/** Removes what is done. @param rest the one listing that was done in part only, with where to continue */
export async function finishDueSales(tx: Db, done: readonly number[], rest: DueSales | null): Promise<void> {
  await tx.execute(sql`DELETE FROM sales_due WHERE listing_id = ANY(${sql.param([...done])}::bigint[])`);
  if (rest === null) return;
  await tx.execute(sql`UPDATE sales_due SET since = ${timestamptz(rest.since)}, after_id = ${rest.afterId}
    WHERE listing_id = ${rest.listingId}`);
}

/** What the figures of a listing's sales depend on and has no date, deleted listings included. */
type SoldListing = {
  readonly id: number;
  readonly marketplace: Marketplace;
  readonly sku: string;
  readonly shippingCharge: Cents;
  readonly bundleUnconfirmed: boolean;
};

export async function readSoldListings(tx: Db, ids: readonly number[]): Promise<SoldListing[]> {
  const { rows } = await tx.execute<SoldListing>(sql`
    SELECT id::float8 AS id, marketplace, sku, ${cents('shipping_charge')} AS "shippingCharge",
      bundle_unconfirmed AS "bundleUnconfirmed"
    FROM listings WHERE id = ANY(${sql.param([...ids])}::bigint[])`);
  return rows;
}

/** Every cost of these SKUs, in the order in which they were entered. */
export async function readDatedSkuCosts(
  tx: Db,
  skus: readonly string[],
): Promise<(DatedSkuCosts & { readonly sku: string })[]> {
  const { rows } = await tx.execute<DatedSkuCosts & { sku: string } & Record<string, unknown>>(sql`
    SELECT s.sku, ${millis('c.effective_from')} AS "effectiveFrom", ${cents('c.product_cost')} AS "productCost",
      c.weight_oz AS weight, c.length_in AS "lengthIn", c.width_in AS "widthIn", c.height_in AS "heightIn", c.is_hazardous AS "isHazardous",
      ${cents('c.packaging_cost')} AS "packagingCost", ${cents('c.misc_cost')} AS "miscCost"
    FROM skus s JOIN sku_costs c ON c.sku_id = s.id WHERE s.sku = ANY(${sql.param([...skus])}::text[]) ORDER BY c.id`);
  return rows;
}

/**
 * Every cost of these listings and what their fees depended on, in the order in which they were entered; of one that
 * never changed what it is now.
 */
export async function readDatedListingCosts(
  tx: Db,
  ids: readonly number[],
): Promise<(DatedListingCosts & { readonly listingId: number })[]> {
  const listed = sql`${sql.param([...ids])}::bigint[]`;
  const fields = sql`fulfillment_type AS "fulfillmentType", fee_category AS "feeCategory", product_type AS "productType",
    external_category AS "externalCategory", accepted_category AS "acceptedCategory", ${cents('fee_rate')} AS "feeRate"`;
  const { rows } = await tx.execute<DatedListingCosts & { listingId: number } & Record<string, unknown>>(sql`
    SELECT listing_id::float8 AS "listingId", ${millis('effective_from')} AS "effectiveFrom", ${cents('shipping')} AS shipping,
      ${cents('fulfillment')} AS fulfillment, fulfillment_is_estimate AS "isFulfillmentReported", ${fields}, id
    FROM listing_costs WHERE listing_id = ANY(${listed})
    UNION ALL
    SELECT id::float8, NULL, ${cents('shipping_cost')}, ${cents('fulfillment_cost')}, fulfillment_cost_is_estimate,
      ${fields}, 0
    FROM listings l WHERE id = ANY(${listed}) AND NOT EXISTS (SELECT FROM listing_costs WHERE listing_id = l.id)
    ORDER BY id`);
  return rows;
}

/** A component of a bundle. */
interface SoldComponent {
  readonly sku: string;
  readonly quantity: number;
  readonly isBundle: boolean;
}

/** What was in the bundles among these codes, in the order in which it was entered; of one that never changed what is in it now. */
export async function readDatedBundles(
  tx: Db,
  codes: readonly string[],
): Promise<(DatedBundle<SoldComponent> & { readonly listingSku: string })[]> {
  const listed = sql`${sql.param([...codes])}::text[]`;
  const component = sql`json_build_object('sku', s.sku, 'quantity', b.quantity, 'isBundle', ${IS_BUNDLE_CODE})`;
  const { rows } = await tx.execute<
    DatedBundle<SoldComponent> & { listingSku: string } & Record<string, unknown>
  >(sql`
    SELECT v.listing_sku AS "listingSku", ${millis('v.effective_from')} AS "effectiveFrom", (
        SELECT coalesce(json_agg(${component} ORDER BY b.place), '[]')
        FROM unnest(v.component_sku_ids, v.quantities) WITH ORDINALITY b (sku_id, quantity, place) JOIN skus s ON s.id = b.sku_id
      ) AS components, v.id
    FROM bundle_versions v WHERE v.listing_sku = ANY(${listed})
    UNION ALL
    SELECT b.listing_sku, NULL, json_agg(${component} ORDER BY b.id), 0
    FROM bundle_components b JOIN skus s ON s.id = b.component_sku_id
    WHERE b.listing_sku = ANY(${listed}) AND NOT EXISTS (SELECT FROM bundle_versions WHERE listing_sku = b.listing_sku)
    GROUP BY b.listing_sku
    ORDER BY id`);
  return rows;
}

/** The shipping tiers that apply, then those that did, the last replaced first. */
export async function readDatedTiers(tx: Db): Promise<(DatedTier & { readonly id: number })[]> {
  const tier = sql`marketplace, fulfillment_type AS "fulfillmentType", min_weight_oz AS "minWeight",
    max_weight_oz AS "maxWeight", ${cents('cost')} AS cost, ${millis('effective_from')} AS "effectiveFrom"`;
  const { rows } = await tx.execute<DatedTier & { id: number } & Record<string, unknown>>(sql`
    SELECT ${tier}, NULL::float8 AS "effectiveUntil", id::float8 AS id FROM shipping_tiers
    UNION ALL SELECT ${tier}, ${millis('effective_until')}, id::float8 FROM past_shipping_tiers
    ORDER BY "effectiveUntil" DESC NULLS FIRST, id DESC`);
  return rows;
}

/** The calculated figures of an order line. */
export interface ComputedSale {
  readonly id: number;
  readonly shippingRevenue: Cents | null;
  readonly isShippingEstimate: boolean;
  readonly feesEstimated: Cents | null;
  readonly fees: Cents | null;
  readonly unitCost: Cents | null;
  readonly shippingCost: Cents | null;
  readonly totalCost: Cents | null;
  readonly profit: Cents | null;
  readonly profitPerUnit: Cents | null;
  readonly adjustment: Cents | null;
  readonly ads: Cents | null;
  readonly refunds: Cents | null;
  readonly moneyState: (typeof MONEY_STATES)[number];
  readonly isAbout: boolean;
  readonly isPending: boolean;
}

/** The figures of an order line with what they consist of. */
export interface ComputedParts {
  readonly figures: ComputedSale;
  readonly listingId: number;
  readonly parts: readonly SalePart[];
  readonly refunds: SettledSale['refunds'];
}

/** Columns and their types; amounts are whole cents. */
const FIGURE_TYPES = {
  id: 'bigint',
  shippingRevenue: 'bigint',
  isShippingEstimate: 'boolean',
  feesEstimated: 'bigint',
  fees: 'bigint',
  unitCost: 'bigint',
  shippingCost: 'bigint',
  totalCost: 'bigint',
  profit: 'bigint',
  profitPerUnit: 'bigint',
  adjustment: 'bigint',
  ads: 'bigint',
  refunds: 'bigint',
  moneyState: 'text',
  isAbout: 'boolean',
  isPending: 'boolean',
  parts: 'jsonb',
} as const;

/**
 * The row of the ledger that the sale `s` belongs to: of the prices in force in the 24 hours before it, the newest one that
 * was paid, because a buyer may have put it into the cart before the last change; else the one in force.
 */
const PRICE_OF_SALE = sql`
  SELECT c.id, c.source, c.rule_id, c.run_id
  FROM (SELECT h.timestamp, h.id FROM price_history h WHERE h.listing_id = s.listing_id AND h.timestamp <= s.sale_date
    ORDER BY h.timestamp DESC, h.id DESC LIMIT 1) n
  LEFT JOIN LATERAL (SELECT h.timestamp, h.id FROM price_history h
    WHERE h.listing_id = s.listing_id AND h.timestamp <= s.sale_date - interval '24 hours'
    ORDER BY h.timestamp DESC, h.id DESC LIMIT 1) o ON true
  CROSS JOIN LATERAL (SELECT h.* FROM price_history h
    WHERE h.listing_id = s.listing_id AND (h.timestamp, h.id) <= (n.timestamp, n.id)
      AND (h.timestamp, h.id) >= (coalesce(o.timestamp, '-infinity'), coalesce(o.id, 0))
      AND (h.id = n.id OR h.new_price = s.unit_price)
    ORDER BY h.new_price = s.unit_price DESC, h.timestamp DESC, h.id DESC LIMIT 1) c`;

/** A shipping payment that was told after the sale was read stays: it has marked the sale as due again. */
export async function writeSaleFigures(
  tx: Db,
  computed: readonly ComputedParts[],
  now: Instant,
): Promise<void> {
  if (computed.length === 0) return;
  const rows = computed.map(({ figures, parts }): TextRow => {
    const texts = Object.entries(figures).map(([name, value]) => [
      name,
      value === null ? null : String(value),
    ]);
    return { ...Object.fromEntries(texts), parts: JSON.stringify(parts.map(partText)) };
  });
  const isShippingReported = sql`(h.shipping_revenue IS NOT NULL AND NOT h.shipping_revenue_is_estimate)`;
  await tx.execute(sql`
    UPDATE sales_history h SET
      shipping_revenue = CASE WHEN ${isShippingReported} THEN h.shipping_revenue ELSE f."shippingRevenue" * 0.01 END,
      shipping_revenue_is_estimate = NOT ${isShippingReported} AND f."isShippingEstimate", fees_estimated = f."feesEstimated" * 0.01,
      marketplace_fees = f."fees" * 0.01, unit_cost = f."unitCost" * 0.01, shipping_cost = f."shippingCost" * 0.01,
      total_cost = f."totalCost" * 0.01, total_margin = f."profit" * 0.01, margin_per_unit = f."profitPerUnit" * 0.01,
      adjustment = f."adjustment" * 0.01, ads = f."ads" * 0.01, refunds = f."refunds" * 0.01, parts = f."parts",
      money_state = f."moneyState", is_about = f."isAbout", is_pending = f."isPending", computed_at = ${timestamptz(now)},
      price_history_id = p.id, price_source = coalesce(p.source, 'earlier'), rule_id = p.rule_id, run_id = p.run_id
    FROM ${rowsTable('f', FIGURE_TYPES, rows)} JOIN sales_history s ON s.id = f.id LEFT JOIN LATERAL (${PRICE_OF_SALE}) p ON true
    WHERE h.id = f.id`);
  await writeRefunds(tx, computed);
}

function partText({ kind, estimated, told }: SalePart): SalePartText {
  const text = (amount: Cents | null) => (amount === null ? null : decimalFromCents(amount));
  return { kind, estimated: text(estimated), told: text(told) };
}

async function writeRefunds(tx: Db, computed: readonly ComputedParts[]): Promise<void> {
  const ids = computed.map(({ figures }) => figures.id);
  await tx.execute(sql`DELETE FROM sale_refunds WHERE sale_id = ANY(${sql.param(ids)}::bigint[])`);
  const rows = computed.flatMap(({ figures, listingId, refunds }) =>
    refunds.map(({ at, amount }) => ({
      saleId: String(figures.id),
      listingId: String(listingId),
      at: isoTime(at),
      amount: decimalFromCents(amount),
    })),
  );
  if (rows.length === 0) return;
  const types = { saleId: 'bigint', listingId: 'bigint', at: 'timestamptz', amount: 'numeric' };
  // A line that was canceled in the meantime no longer has refunds.
  await tx.execute(sql`
    INSERT INTO sale_refunds (sale_id, listing_id, at, amount)
    SELECT r."saleId", r."listingId", r.at, r.amount FROM ${rowsTable('r', types, rows)}
    JOIN sales_history h ON h.id = r."saleId" ORDER BY 1, 3`);
}
