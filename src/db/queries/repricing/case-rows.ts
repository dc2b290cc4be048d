import { sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { cents, millis, timestamptz } from '#db/sql-values.ts';
import type { FulfillmentType, Marketplace } from '#domain/marketplaces.ts';
import type { Bps, Cents, Instant, Ounces } from '#domain/units.ts';

/** A listing with its own SKU. */
interface ListingRow {
  readonly id: number;
  readonly marketplace: Marketplace;
  readonly sku: string;
  readonly title: string;
  readonly fulfillmentType: FulfillmentType;
  readonly currentPrice: Cents;
  readonly priceSince: Instant;
  readonly anchorPrice: Cents;
  readonly minPrice: Cents | null;
  readonly maxPrice: Cents | null;
  readonly shippingCost: Cents | null;
  readonly shippingCharge: Cents;
  readonly fulfillmentCost: Cents | null;
  readonly feeCategory: string | null;
  readonly autoRepricing: boolean;
  readonly ruleId: number | null;
  readonly heldUntil: Instant | null;
  readonly heldBy: string | null;
  readonly holdReason: string | null;
  /** Why its price must not be changed from here, as last synced; read only for listings on hold. */
  readonly notRepriceableReason: string | null;
  readonly isMissing: boolean;
  /** A sync with the current credentials has confirmed the current price. */
  readonly isPriceRead: boolean;
  readonly awaitingUpload: boolean;
  readonly bundleUnconfirmed: boolean;
  /** When the engine's price became the current price, or was sent to become it. */
  readonly lastRepriced: Instant | null;
  readonly recommendedPrice: Cents | null;
  readonly recommendedPriceReason: string | null;
  readonly competitorPrice: Cents | null;
  readonly version: number;
  readonly pendingPrice: Cents | null;
  /** The SKU of the same code; null when there is none. */
  readonly skuId: number | null;
  readonly productCost: Cents | null;
  readonly weight: Ounces | null;
  readonly packagingCost: Cents | null;
  readonly miscCost: Cents | null;
}

/** A listing with its own SKU and its last decision. */
export interface CaseRow extends ListingRow {
  /** The row of `listing_metrics`; null before the first decision. */
  readonly metrics: StoredMetrics | null;
  /** The stored lowest allowed price, set by going live even before the first decision; null for none. */
  readonly lowestBefore: Cents | null;
}

/** The figures with the run whose items contain the decision; null for `keep`. */
export type StoredMetrics = MetricsRow & { readonly runId: number | null };

/** The row of `listing_metrics`, in the form it is compared and written in. */
export interface MetricsRow {
  readonly productCost: Cents | null;
  readonly shippingCost: Cents | null;
  readonly fulfillmentCost: Cents | null;
  readonly packagingCost: Cents | null;
  readonly miscCost: Cents | null;
  readonly totalCost: Cents | null;
  readonly margin: Bps | null;
  readonly marginFloor: Cents | null;
  readonly lowestAllowed: Cents | null;
  readonly amazonWalmartPrice: Cents | null;
  readonly thirdPartyFbaWfsPrice: Cents | null;
  readonly thirdPartyFbmPrice: Cents | null;
  readonly outcome: string | null;
  readonly reasonCode: string | null;
  readonly reviewReason: string | null;
  readonly decidedPrice: Cents | null;
  readonly holdsBuyBox: boolean | null;
  readonly missingFacts: readonly string[];
  readonly ruleId: number | null;
}

/** Money and share columns of the metrics, in the order of {@link MetricsRow}. */
export const METRIC_AMOUNTS = [
  'productCost',
  'shippingCost',
  'fulfillmentCost',
  'packagingCost',
  'miscCost',
  'totalCost',
  'margin',
  'marginFloor',
  'lowestAllowed',
  'amazonWalmartPrice',
  'thirdPartyFbaWfsPrice',
  'thirdPartyFbmPrice',
  'decidedPrice',
] as const satisfies readonly (keyof MetricsRow)[];

const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The metrics are flat columns next to those of the listing: pg reads numbers faster than JSON. */
const METRICS = sql.join(
  [
    ...METRIC_AMOUNTS.map((name) => sql`${cents(`m.${snake(name)}`)} AS ${sql.raw(`"${name}Then"`)}`),
    sql`m.listing_id IS NOT NULL AS "isDecided", m.outcome, m.reason_code AS "reasonCode", m.review_reason AS "reviewReason",
      m.holds_buy_box AS "holdsBuyBox"`,
    sql`${cents(`CASE WHEN m.listing_id IS NOT NULL THEN m.lowest_allowed
      ELSE (SELECT lowest_allowed FROM due_listings WHERE listing_id = l.id) END`)} AS "lowestBefore"`,
    sql`array_to_string(m.missing_facts, ' ') AS "missingFacts", m.rule_id::float8 AS "ruleIdThen", m.run_id::float8 AS "runId"`,
  ],
  sql`, `,
);

type FlatRow = Record<string, unknown> &
  ListingRow &
  Pick<StoredMetrics, 'outcome' | 'reasonCode' | 'reviewReason' | 'holdsBuyBox' | 'runId'> & {
    readonly [Name in (typeof METRIC_AMOUNTS)[number] as `${Name}Then`]: StoredMetrics[Name];
  } & Pick<CaseRow, 'lowestBefore'> & {
    readonly isDecided: boolean;
    readonly missingFacts: string;
    readonly ruleIdThen: number | null;
  };

function caseRowOf(row: FlatRow): CaseRow {
  return Object.assign(row, { metrics: row.isDecided ? metricsIn(row) : null });
}

function metricsIn(row: FlatRow): StoredMetrics {
  return {
    productCost: row.productCostThen,
    shippingCost: row.shippingCostThen,
    fulfillmentCost: row.fulfillmentCostThen,
    packagingCost: row.packagingCostThen,
    miscCost: row.miscCostThen,
    totalCost: row.totalCostThen,
    margin: row.marginThen,
    marginFloor: row.marginFloorThen,
    lowestAllowed: row.lowestAllowedThen,
    amazonWalmartPrice: row.amazonWalmartPriceThen,
    thirdPartyFbaWfsPrice: row.thirdPartyFbaWfsPriceThen,
    thirdPartyFbmPrice: row.thirdPartyFbmPriceThen,
    outcome: row.outcome,
    reasonCode: row.reasonCode,
    reviewReason: row.reviewReason,
    decidedPrice: row.decidedPriceThen,
    holdsBuyBox: row.holdsBuyBox,
    missingFacts: row.missingFacts === '' ? [] : row.missingFacts.split(' '),
    ruleId: row.ruleIdThen,
    runId: row.runId,
  };
}

/**
 * Live listings of these IDs, by ID, without those that were deleted in between. Each limit makes the planner read the
 * one row by its key: without it, it reads the whole catalog or price history for every batch.
 * @param unseenSince a price sent before this time that buyers do not see and whose result is unknown is no longer open
 */
export async function readCaseRows(db: Db, ids: readonly number[], unseenSince: Instant): Promise<CaseRow[]> {
  const unseen = sql`i.state = 'unknown' AND i.reads > 0
    AND i.sent_at <= ${timestamptz(unseenSince)}`;
  const { rows } = await db.execute<FlatRow>(sql`
    SELECT l.id::float8 AS id, l.marketplace, l.sku, l.title, l.fulfillment_type AS "fulfillmentType",
      ${cents('l.current_price')} AS "currentPrice", ${millis('h.timestamp')} AS "priceSince",
      ${cents('l.anchor_price')} AS "anchorPrice", ${cents('l.min_price')} AS "minPrice",
      ${cents('l.max_price')} AS "maxPrice", ${cents('l.shipping_cost')} AS "shippingCost",
      ${cents('l.shipping_charge')} AS "shippingCharge", ${cents('l.fulfillment_cost')} AS "fulfillmentCost",
      l.fee_category AS "feeCategory", l.auto_repricing_enabled AS "autoRepricing", l.rule_id::float8 AS "ruleId",
      ${millis('l.held_until')} AS "heldUntil", l.held_by AS "heldBy", l.hold_reason AS "holdReason",
      CASE WHEN l.held_until IS NOT NULL THEN w.not_repriceable_reason END AS "notRepriceableReason", l.missing_since IS NOT NULL AS "isMissing",
      coalesce(w.price_verified_generation = way.generation, false) AS "isPriceRead",
      l.awaiting_upload_since IS NOT NULL AS "awaitingUpload", l.bundle_unconfirmed AS "bundleUnconfirmed",
      ${millis("greatest(l.last_repriced, CASE WHEN p.is_open AND p.source IN ('rule', 'apply') THEN p.sent_at END)")} AS "lastRepriced", ${cents('l.recommended_price')} AS "recommendedPrice",
      l.recommended_price_reason AS "recommendedPriceReason", ${cents('l.competitor_price')} AS "competitorPrice",
      l.version, ${cents('CASE WHEN p.is_open THEN p.price END')} AS "pendingPrice", s.id::float8 AS "skuId",
      ${cents('s.product_cost')} AS "productCost", s.weight_oz AS weight,
      ${cents('s.packaging_cost')} AS "packagingCost", ${cents('s.misc_cost')} AS "miscCost", ${METRICS}
    FROM unnest(${sql.param(ids)}::bigint[]) wanted (id)
    CROSS JOIN LATERAL (SELECT * FROM listings WHERE id = wanted.id AND deleted_at IS NULL LIMIT 1) l
    CROSS JOIN LATERAL (SELECT timestamp FROM price_history
      WHERE listing_id = l.id AND id = l.current_price_id LIMIT 1) h
    CROSS JOIN LATERAL (SELECT generation FROM integrations WHERE marketplace = l.marketplace LIMIT 1) way
    LEFT JOIN LATERAL (SELECT price_verified_generation, not_repriceable_reason FROM marketplace_listings WHERE listing_id = l.id LIMIT 1) w ON true
    LEFT JOIN LATERAL (SELECT * FROM skus WHERE sku = l.sku AND deleted_at IS NULL LIMIT 1) s ON true
    LEFT JOIN LATERAL (SELECT * FROM listing_metrics WHERE listing_id = l.id LIMIT 1) m ON true
    LEFT JOIN LATERAL (SELECT price, source, sent_at, i.state <> 'confirmed' AND NOT (${unseen}) AS is_open
      FROM price_intents i
      WHERE i.listing_id = l.id AND i.state IN ('queued', 'sent', 'accepted', 'unknown', 'confirmed')
      ORDER BY i.sequence DESC LIMIT 1) p ON true
    ORDER BY l.id`);
  return rows.map(caseRowOf);
}
