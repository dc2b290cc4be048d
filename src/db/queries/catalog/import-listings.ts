import { sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { analyzeGrown } from '#db/grown-tables.ts';
import { isoText, timestamptz } from '#db/sql-values.ts';
import type { Instant } from '#domain/units.ts';
import { rowsTable, type TextRow } from './import-rows.ts';

const TYPES = {
  id: 'bigint',
  marketplace: 'text',
  sku: 'text',
  title: 'text',
  currentPrice: 'numeric',
  fulfillmentType: 'text',
  marketplaceItemId: 'text',
  imageUrl: 'text',
  minPrice: 'numeric',
  maxPrice: 'numeric',
  shippingCost: 'numeric',
  shippingCharge: 'numeric',
  fulfillmentCost: 'numeric',
  feeCategory: 'text',
  feeRate: 'numeric',
  feeRateBy: 'text',
  adShare: 'numeric',
  returnShare: 'numeric',
  mapPrice: 'numeric',
  mapFrom: 'date',
  mapUntil: 'date',
  stock: 'integer',
  stockAt: 'timestamptz',
  stockAgeDays: 'integer',
  stockAgeAt: 'timestamptz',
  externalPrice: 'numeric',
  externalPriceAt: 'timestamptz',
  productType: 'text',
  externalCategory: 'text',
  brand: 'text',
  supplier: 'text',
  autoRepricingEnabled: 'boolean',
  ruleId: 'bigint',
} as const;

/**
 * The fulfillment fees reported for a listing `l` without an entered one, separated by spaces: of every price band, of earlier
 * readings, and of each sale. Null where one was entered.
 */
const REPORTED_FULFILLMENT = sql`CASE WHEN l.fulfillment_cost IS NULL OR l.fulfillment_cost_is_estimate THEN (
  SELECT coalesce(string_agg(DISTINCT answer.fee::text, ' '), '') FROM (
    SELECT sum(amount) AS fee FROM fee_facts f
    WHERE f.listing_id = l.id AND f.kind = 'fulfillment' AND f.fulfillment_type = 'FBA/WFS' AND f.refused_because IS NULL
    GROUP BY source, told_at, asked_price, asked_shipping, CASE WHEN source = 'settled' THEN id END) answer) END`;

/** The listings with these keys, every value as text, the rule by its name. */
export async function findListingsByKey(db: Db, keys: readonly TextRow[], lock: boolean): Promise<TextRow[]> {
  const { rows } = await db.execute<Record<string, string | null>>(sql`
    SELECT l.id::text, l.marketplace, l.sku, l.title, l.current_price::text AS "currentPrice",
      l.fulfillment_type AS "fulfillmentType", l.marketplace_item_id AS "marketplaceItemId", l.image_url AS "imageUrl",
      l.min_price::text AS "minPrice", l.max_price::text AS "maxPrice", l.shipping_cost::text AS "shippingCost",
      l.shipping_charge::text AS "shippingCharge", l.fulfillment_cost::text AS "fulfillmentCost",
      ${REPORTED_FULFILLMENT} AS "reportedFulfillment",
      l.fee_category AS "feeCategory", l.fee_rate::text AS "feeRate", l.ad_share::text AS "adShare",
      l.return_share::text AS "returnShare", l.map_price::text AS "mapPrice", l.map_from::text AS "mapFrom",
      l.map_until::text AS "mapUntil", l.stock::text, ${isoText(sql`l.stock_at`)} AS "stockAt",
      l.stock_age_days::text AS "stockAgeDays", ${isoText(sql`l.stock_age_at`)} AS "stockAgeAt",
      l.external_price::text AS "externalPrice", ${isoText(sql`l.external_price_at`)} AS "externalPriceAt", l.brand, l.supplier,
      l.auto_repricing_enabled::text AS "autoRepricingEnabled",
      l.rule_id::text AS "ruleId", (SELECT name FROM repricing_rules WHERE id = l.rule_id) AS rule
    FROM ${rowsTable('k', { marketplace: 'text', sku: 'text' }, keys)}
    JOIN listings l ON l.marketplace = k.marketplace AND l.sku = k.sku AND l.deleted_at IS NULL
    ORDER BY l.id ${lock ? sql`FOR NO KEY UPDATE OF l` : sql``}`);
  return rows;
}

/** The rules that can be assigned to a listing, by ID. */
export async function findRuleNames(db: Db): Promise<{ id: string; name: string }[]> {
  const { rows } = await db.execute<{ id: string; name: string }>(
    sql`SELECT id::text, name FROM repricing_rules WHERE deleted_at IS NULL ORDER BY id`,
  );
  return rows;
}

/**
 * Adds listings; the database writes the first row of each ledger. While it is unconfirmed whether a SKU is a bundle,
 * the cost of its new listings is unknown too, also of a deleted one that is restored.
 */
export async function insertListings(db: Db, rows: readonly TextRow[], now: Instant): Promise<void> {
  if (rows.length === 0) return;
  await db.execute(sql`
    INSERT INTO listings (marketplace, sku, title, current_price, anchor_price, fulfillment_type, marketplace_item_id,
      image_url, min_price, max_price, shipping_cost, last_shipping_cost_update, shipping_charge, fulfillment_cost,
      fee_category, fee_rate, fee_rate_by, ad_share, return_share, map_price, map_from, map_until, stock, stock_at,
      stock_age_days, stock_age_at, external_price, external_price_at, product_type, external_category, brand, supplier, auto_repricing_enabled, rule_id, bundle_unconfirmed,
      created_at, updated_at)
    SELECT marketplace, sku, title, "currentPrice", "currentPrice", "fulfillmentType", "marketplaceItemId", "imageUrl",
      "minPrice", "maxPrice", "shippingCost", CASE WHEN "shippingCost" IS NOT NULL THEN ${timestamptz(now)} END,
      coalesce("shippingCharge", 0), "fulfillmentCost", "feeCategory", "feeRate",
      "feeRateBy", "adShare", "returnShare", "mapPrice", "mapFrom", "mapUntil", stock, "stockAt", "stockAgeDays",
      "stockAgeAt", "externalPrice", "externalPriceAt", "productType", "externalCategory",
      brand, supplier, coalesce("autoRepricingEnabled", true),
      "ruleId", EXISTS (SELECT FROM listings o WHERE o.sku = r.sku AND o.bundle_unconfirmed), ${timestamptz(now)}, ${timestamptz(now)}
    FROM ${rowsTable('r', TYPES, rows)}`);
  await analyzeGrown(db, ['listings', 'listing_keys', 'price_history', 'due_listings']);
}

/** Writes everything but the price, which only the ledger changes. */
export async function updateListings(db: Db, rows: readonly TextRow[], now: Instant): Promise<void> {
  if (rows.length === 0) return;
  await db.execute(sql`
    UPDATE listings l SET title = r.title, fulfillment_type = r."fulfillmentType",
      marketplace_item_id = r."marketplaceItemId", image_url = r."imageUrl", min_price = r."minPrice",
      max_price = r."maxPrice", shipping_cost = r."shippingCost",
      last_shipping_cost_update = CASE WHEN l.shipping_cost IS DISTINCT FROM r."shippingCost" THEN ${timestamptz(now)}
        ELSE l.last_shipping_cost_update END,
      shipping_charge = coalesce(r."shippingCharge", 0), fulfillment_cost = r."fulfillmentCost",
      fulfillment_cost_is_estimate = l.fulfillment_cost_is_estimate
        AND l.fulfillment_cost IS NOT DISTINCT FROM r."fulfillmentCost",
      fee_category = r."feeCategory", fee_rate = r."feeRate", ad_share = r."adShare", return_share = r."returnShare",
      map_price = r."mapPrice", map_from = r."mapFrom", map_until = r."mapUntil", stock = r.stock, stock_at = r."stockAt",
      stock_age_days = r."stockAgeDays", stock_age_at = r."stockAgeAt", external_price = r."externalPrice",
      external_price_at = r."externalPriceAt",
      fee_rate_by = CASE WHEN l.fee_rate IS NOT DISTINCT FROM r."feeRate" THEN l.fee_rate_by
        ELSE r."feeRateBy" END, brand = r.brand, supplier = r.supplier,
      auto_repricing_enabled = coalesce(r."autoRepricingEnabled", true),
      rule_id = r."ruleId", version = version + 1, updated_at = ${timestamptz(now)}
    FROM ${rowsTable('r', TYPES, rows)} WHERE l.id = r.id`);
}

/** Writes when the stock and the external price of listings were known, whose values a file has again. */
export async function confirmEnteredFacts(db: Db, rows: readonly TextRow[]): Promise<void> {
  if (rows.length === 0) return;
  const types = {
    id: 'bigint',
    stockAt: 'timestamptz',
    stockAgeAt: 'timestamptz',
    externalPriceAt: 'timestamptz',
  };
  await db.execute(sql`
    UPDATE listings l SET stock_at = r."stockAt", stock_age_at = r."stockAgeAt", external_price_at = r."externalPriceAt"
    FROM ${rowsTable('r', types, rows)} WHERE l.id = r.id`);
}

/** A current price from a file. */
export interface ImportedPrice {
  readonly id: string;
  readonly from: string;
  readonly to: string;
}

/** Writes reported prices to the ledger, which updates the listings. */
export async function recordImportedPrices(
  db: Db,
  prices: readonly ImportedPrice[],
  entry: { reason: string; actorId: string | null; actor: string; at: Instant },
): Promise<void> {
  if (prices.length === 0) return;
  const table = rowsTable(
    'p',
    { id: 'bigint', from: 'numeric', to: 'numeric' },
    prices.map((price) => ({ ...price })),
  );
  await db.execute(sql`
    INSERT INTO price_history (listing_id, old_price, new_price, reason, source, actor_id, actor, timestamp)
    SELECT id, "from", "to", ${entry.reason}, 'import', ${entry.actorId}, ${entry.actor}, ${timestamptz(entry.at)}
    FROM ${table} ORDER BY id`);
}

/** The file contains the prices that buyers see: nothing is left to upload for these. */
export async function clearAwaitingUpload(db: Db, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await db.execute(sql`
    UPDATE listings SET awaiting_upload_since = NULL
    WHERE id = ANY(${sql.param(ids)}::text[]::bigint[]) AND awaiting_upload_since IS NOT NULL`);
}
