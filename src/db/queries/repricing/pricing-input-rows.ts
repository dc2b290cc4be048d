import { sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { IS_BUNDLE_CODE } from '#db/queries/catalog/bundle-codes.ts';
import { countedCharge } from '#db/queries/catalog/counted-charge.ts';
import { LISTING_CATEGORY } from '#db/queries/catalog/listing-category.ts';
import { cents, millis, timestamptz } from '#db/sql-values.ts';
import type { CompetitionStatus, ReadCoverage } from '#domain/competition/competition.ts';
import type { RecentMove } from '#domain/competition/recent-moves.ts';
import type { FulfillmentType, Marketplace } from '#domain/marketplaces.ts';
import type { Bps, Cents, Instant, Ounces } from '#domain/units.ts';

/** A character that no tag contains. */
export const TAG_SEPARATOR = '\u001f';

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
  /** `fulfillmentCost` was reported by the marketplace, and not entered. */
  readonly isFulfillmentReported: boolean;
  readonly feeCategory: string | null;
  readonly productType: string | null;
  readonly externalCategory: string | null;
  readonly acceptedCategory: string | null;
  /** A user's own commission, and who entered it. */
  readonly feeRate: Bps | null;
  readonly feeRateBy: string | null;
  /** Shares for advertising and returns; null: those of the marketplace. */
  readonly adShare: Bps | null;
  readonly returnShare: Bps | null;
  /** Its own labels, or else those of its SKU; the entered category, or else what the marketplace reports. */
  readonly brand: string | null;
  readonly supplier: string | null;
  readonly category: string | null;
  /** Those of its SKU, separated by {@link TAG_SEPARATOR}. */
  readonly tags: string;
  readonly createdAt: Instant;
  /** The stock and its age at the start of the day where the shop is. */
  readonly dayStock: number | null;
  readonly dayStockAge: number | null;
  readonly autoRepricing: boolean;
  /** Names the listings of its marketplace that have one price with it; null for none. */
  readonly groupKey: string | null;
  readonly ruleId: number | null;
  readonly heldUntil: Instant | null;
  readonly heldBy: string | null;
  readonly holdReason: string | null;
  /** Why its price must not be changed from here, as a sync reported last. */
  readonly notRepriceableReason: string | null;
  /** The seller's own limits on the marketplace. */
  readonly sellerMin: Cents | null;
  readonly sellerMax: Cents | null;
  readonly mapPrice: Cents | null;
  /** The seller's own MAP price here, with its first and last day. */
  readonly ownMap: Cents | null;
  readonly ownMapFrom: string | null;
  readonly ownMapUntil: string | null;
  /** From a file, each with its time. */
  readonly enteredStock: number | null;
  readonly enteredStockAt: Instant | null;
  readonly stockAgeDays: number | null;
  readonly stockAgeAt: Instant | null;
  readonly externalPrice: Cents | null;
  readonly externalPriceAt: Instant | null;
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
  /** When its competitors were last read, and what that shows; null if never. */
  readonly readAt: Instant | null;
  readonly coverage: ReadCoverage | null;
  /** That reading reported that no one holds the buy box; null without a reading. */
  readonly isBoxSuppressed: boolean | null;
  /** What it takes to become the featured offer; a null status: never read. */
  readonly featuredPrice: Cents | null;
  readonly featuredStatus: string | null;
  readonly featuredReadAt: Instant | null;
  /** The SKU of the same code; null when there is none. */
  readonly skuId: number | null;
  readonly productCost: Cents | null;
  readonly weight: Ounces | null;
  readonly lengthIn: number | null;
  readonly widthIn: number | null;
  readonly heightIn: number | null;
  readonly isHazardous: boolean | null;
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
  readonly toldRate: Bps | null;
  readonly scheduledRate: Bps | null;
  readonly countedShare: Bps | null;
  readonly chargedFee: Cents | null;
  readonly isFeeTold: boolean;
  readonly isFeeHeld: boolean;
  readonly holdsBuyBox: boolean | null;
  /** What was known about the competitors, and since when they are not read that were read before. */
  readonly competition: CompetitionStatus | null;
  readonly notReadSince: Instant | null;
  readonly missingFacts: readonly string[];
  readonly ruleId: number | null;
  /** The line of that rule that decided, 0 where none applied; null where none was asked. */
  readonly line: number | null;
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
  'toldRate',
  'scheduledRate',
  'countedShare',
  'chargedFee',
] as const satisfies readonly (keyof MetricsRow)[];

const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The metrics are flat columns next to those of the listing: pg reads numbers faster than JSON. */
const METRICS = sql.join(
  [
    ...METRIC_AMOUNTS.map((name) => sql`${cents(`m.${snake(name)}`)} AS ${sql.raw(`"${name}Then"`)}`),
    sql`m.listing_id IS NOT NULL AS "isDecided", m.outcome, m.reason_code AS "reasonCode", m.review_reason AS "reviewReason",
      m.holds_buy_box AS "holdsBuyBox", m.is_fee_told AS "isFeeTold", m.is_fee_held AS "isFeeHeld", m.competition,
      ${millis('m.not_read_since')} AS "notReadSince"`,
    sql`${cents(`CASE WHEN m.listing_id IS NOT NULL THEN m.lowest_allowed
      ELSE (SELECT lowest_allowed FROM due_listings WHERE listing_id = l.id) END`)} AS "lowestBefore"`,
    sql`array_to_string(m.missing_facts, ' ') AS "missingFacts", m.rule_id::float8 AS "ruleIdThen", m.line AS "lineThen", m.run_id::float8 AS "runId"`,
  ],
  sql`, `,
);

type FlatRow = Record<string, unknown> &
  ListingRow &
  Pick<
    StoredMetrics,
    | 'outcome'
    | 'reasonCode'
    | 'reviewReason'
    | 'holdsBuyBox'
    | 'isFeeTold'
    | 'isFeeHeld'
    | 'competition'
    | 'notReadSince'
    | 'runId'
  > & {
    readonly [Name in (typeof METRIC_AMOUNTS)[number] as `${Name}Then`]: StoredMetrics[Name];
  } & Pick<CaseRow, 'lowestBefore'> & {
    readonly isDecided: boolean;
    readonly missingFacts: string;
    readonly ruleIdThen: number | null;
    readonly lineThen: number | null;
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
    toldRate: row.toldRateThen,
    scheduledRate: row.scheduledRateThen,
    countedShare: row.countedShareThen,
    chargedFee: row.chargedFeeThen,
    isFeeTold: row.isFeeTold,
    isFeeHeld: row.isFeeHeld,
    holdsBuyBox: row.holdsBuyBox,
    competition: row.competition,
    notReadSince: row.notReadSince,
    missingFacts: row.missingFacts === '' ? [] : row.missingFacts.split(' '),
    ruleId: row.ruleIdThen,
    line: row.lineThen,
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
      ${cents(countedCharge())} AS "shippingCharge", ${cents('l.fulfillment_cost')} AS "fulfillmentCost",
      l.fulfillment_cost_is_estimate AS "isFulfillmentReported", l.fee_category AS "feeCategory", l.product_type AS "productType",
      l.external_category AS "externalCategory", l.accepted_category AS "acceptedCategory",
      ${cents('l.fee_rate')} AS "feeRate", l.fee_rate_by AS "feeRateBy", ${cents('l.ad_share')} AS "adShare",
      ${cents('l.return_share')} AS "returnShare", coalesce(l.brand, s.brand) AS brand, coalesce(l.supplier, s.supplier) AS supplier,
      ${LISTING_CATEGORY} AS category,
      coalesce(array_to_string(s.tags, ${TAG_SEPARATOR}), '') AS tags, ${millis('l.created_at')} AS "createdAt", day.stock AS "dayStock", day.stock_age_days AS "dayStockAge", l.auto_repricing_enabled AS "autoRepricing", l.group_key AS "groupKey", l.rule_id::float8 AS "ruleId",
      ${millis('l.held_until')} AS "heldUntil", l.held_by AS "heldBy", l.hold_reason AS "holdReason",
      CASE WHEN w.reason_expires_at IS NULL THEN w.not_repriceable_reason END AS "notRepriceableReason",
      ${cents('w.seller_min')} AS "sellerMin", ${cents('w.seller_max')} AS "sellerMax", ${cents('w.map_price')} AS "mapPrice",
      ${cents('l.map_price')} AS "ownMap", l.map_from::text AS "ownMapFrom", l.map_until::text AS "ownMapUntil",
      l.stock AS "enteredStock", ${millis('l.stock_at')} AS "enteredStockAt", l.stock_age_days AS "stockAgeDays",
      ${millis('l.stock_age_at')} AS "stockAgeAt", ${cents('l.external_price')} AS "externalPrice",
      ${millis('l.external_price_at')} AS "externalPriceAt", l.missing_since IS NOT NULL AS "isMissing",
      coalesce(w.price_verified_generation = way.generation, false) AS "isPriceRead",
      l.awaiting_upload_since IS NOT NULL AS "awaitingUpload", l.bundle_unconfirmed AS "bundleUnconfirmed",
      ${millis("greatest(l.last_repriced, CASE WHEN p.is_open AND p.source IN ('rule', 'apply') THEN p.sent_at END)")} AS "lastRepriced", ${cents('l.recommended_price')} AS "recommendedPrice",
      l.recommended_price_reason AS "recommendedPriceReason", ${cents('l.competitor_price')} AS "competitorPrice",
      l.version, ${cents('CASE WHEN p.is_open THEN p.price END')} AS "pendingPrice",
      ${millis('c.read_at')} AS "readAt", c.coverage, c.box_suppressed AS "isBoxSuppressed",
      ${cents('f.price')} AS "featuredPrice", f.status AS "featuredStatus", ${millis('f.read_at')} AS "featuredReadAt", s.id::float8 AS "skuId",
      ${cents('s.product_cost')} AS "productCost", s.weight_oz AS weight,
      s.length_in AS "lengthIn", s.width_in AS "widthIn", s.height_in AS "heightIn", s.is_hazardous AS "isHazardous",
      ${cents('s.packaging_cost')} AS "packagingCost", ${cents('s.misc_cost')} AS "miscCost", ${METRICS}
    FROM unnest(${sql.param(ids)}::bigint[]) wanted (id)
    CROSS JOIN LATERAL (SELECT * FROM listings WHERE id = wanted.id AND deleted_at IS NULL LIMIT 1) l
    CROSS JOIN LATERAL (SELECT timestamp FROM price_history
      WHERE listing_id = l.id AND id = l.current_price_id LIMIT 1) h
    CROSS JOIN LATERAL (SELECT generation FROM integrations WHERE marketplace = l.marketplace LIMIT 1) way
    LEFT JOIN LATERAL (SELECT price_verified_generation, not_repriceable_reason, reason_expires_at, seller_min, seller_max, map_price FROM marketplace_listings WHERE listing_id = l.id LIMIT 1) w ON true
    LEFT JOIN LATERAL (SELECT read_at, coverage, box_suppressed FROM competition_readings WHERE listing_id = l.id LIMIT 1) c ON true
    LEFT JOIN LATERAL (SELECT * FROM featured_prices WHERE listing_id = l.id LIMIT 1) f ON true
    LEFT JOIN LATERAL (SELECT stock, stock_age_days FROM day_stocks WHERE listing_id = l.id LIMIT 1) day ON true
    LEFT JOIN LATERAL (SELECT * FROM skus WHERE sku = l.sku AND deleted_at IS NULL LIMIT 1) s ON true
    LEFT JOIN LATERAL (SELECT * FROM listing_metrics WHERE listing_id = l.id LIMIT 1) m ON true
    LEFT JOIN LATERAL (SELECT price, source, sent_at, i.state <> 'confirmed' AND NOT (${unseen}) AS is_open
      FROM price_intents i
      WHERE i.listing_id = l.id AND i.state IN ('queued', 'sent', 'accepted', 'unknown', 'confirmed')
      ORDER BY i.sequence DESC LIMIT 1) p ON true
    ORDER BY l.id`);
  return rows.map(caseRowOf);
}

// What a batch of decisions reads around its listings: parts, offers, other channels, the past.

export interface ComponentRow extends Record<string, unknown> {
  readonly listingSku: string;
  readonly sku: string;
  readonly quantity: number;
  /** The SKU was deleted: its cost is unknown. */
  readonly isDeleted: boolean;
  readonly isBundle: boolean;
  readonly productCost: Cents | null;
  readonly weight: Ounces | null;
  /** A bundle is as large as its own box, not as its components. */
  readonly size: null;
  readonly isHazardous: boolean;
  readonly packagingCost: Cents;
  readonly miscCost: Cents;
}

/** Components of the bundles among these codes. */
export async function readComponents(db: Db, skus: readonly string[]): Promise<ComponentRow[]> {
  const { rows } = await db.execute<ComponentRow>(sql`
    SELECT b.listing_sku AS "listingSku", s.sku, b.quantity, s.deleted_at IS NOT NULL AS "isDeleted",
      ${IS_BUNDLE_CODE} AS "isBundle", ${cents('s.product_cost')} AS "productCost",
      s.weight_oz AS weight, NULL AS size, s.is_hazardous AS "isHazardous", ${cents('s.packaging_cost')} AS "packagingCost",
      ${cents('s.misc_cost')} AS "miscCost"
    FROM bundle_components b JOIN skus s ON s.id = b.component_sku_id
    WHERE b.listing_sku = ANY(${sql.param(skus)}::text[]) ORDER BY b.id`);
  return rows;
}

export interface OfferRow extends Record<string, unknown> {
  /** The listing whose decision may use it. */
  readonly listingId: number;
  /** Channel it was offered on; null for the listing's own marketplace. */
  readonly channel: Marketplace | null;
  /** Our listing on that channel; null likewise. */
  readonly offeredOn: number | null;
  readonly sellerName: string | null;
  readonly sellerKey: string | null;
  readonly isMarketplace: boolean;
  readonly price: Cents;
  readonly shipping: Cents;
  readonly fulfillmentType: FulfillmentType | null;
  readonly isFeatured: boolean;
  readonly isOurs: boolean;
  readonly seenAt: Instant | null;
  readonly rating: Bps | null;
  readonly ratingCount: number | null;
  readonly handlingDays: number | null;
}

const OFFER = sql`o.seller_name AS "sellerName", o.seller_key AS "sellerKey", o.is_marketplace AS "isMarketplace",
  ${cents('o.price')} AS price, ${cents('o.shipping')} AS shipping, o.fulfillment_type AS "fulfillmentType",
  o.is_featured AS "isFeatured", o.is_ours AS "isOurs", ${millis('o.seen_at')} AS "seenAt",
  ${cents('o.rating')} AS rating, o.rating_count AS "ratingCount", o.handling_days AS "handlingDays"`;

/** The offers stored for these listings, in the order they were stored. */
export async function readOffers(db: Db, ids: readonly number[]): Promise<OfferRow[]> {
  const { rows } = await db.execute<OfferRow>(sql`
    SELECT o.listing_id::float8 AS "listingId", NULL AS channel, NULL AS "offeredOn", ${OFFER} FROM competitor_offers o
    WHERE o.listing_id = ANY(${sql.param(ids)}::bigint[]) ORDER BY o.listing_id, o.id`);
  return rows;
}

/** The offers for the same SKU on other channels: only for listings whose rule uses them. */
export async function readOtherChannelOffers(db: Db, ids: readonly number[]): Promise<OfferRow[]> {
  const { rows } = await db.execute<OfferRow>(sql`
    SELECT mine.id::float8 AS "listingId", l.marketplace AS channel, l.id::float8 AS "offeredOn", ${OFFER}
    FROM listings mine
    JOIN listings l ON l.sku = mine.sku AND l.id <> mine.id AND l.deleted_at IS NULL
    JOIN competitor_offers o ON o.listing_id = l.id
    WHERE mine.id = ANY(${sql.param(ids)}::bigint[]) ORDER BY mine.id, l.id, o.id`);
  return rows;
}

/** Another listing of ours of the same item on the same marketplace, such as one that the warehouse ships. */
export interface TwinRow extends Record<string, unknown> {
  readonly listingId: number;
  readonly twinId: number;
  readonly shippingCharge: Cents;
}

/** Our other listings of the items of these listings, where the marketplace's number of an item names a product. */
export async function readTwins(db: Db, ids: readonly number[]): Promise<TwinRow[]> {
  const { rows } = await db.execute<TwinRow>(sql`
    SELECT mine.id::float8 AS "listingId", l.id::float8 AS "twinId", ${cents('l.shipping_charge')} AS "shippingCharge"
    FROM listings mine JOIN listings l ON l.marketplace = mine.marketplace
      AND l.marketplace_item_id = mine.marketplace_item_id AND l.id <> mine.id AND l.deleted_at IS NULL
    WHERE mine.id = ANY(${sql.param(ids)}::bigint[]) AND mine.marketplace IN ('amazon', 'walmart') ORDER BY mine.id, l.id`);
  return rows;
}

export interface SiblingRow extends Record<string, unknown> {
  readonly sku: string;
  readonly marketplace: Marketplace;
  readonly price: Cents;
  readonly shippingCharge: Cents;
}

/** Prices of all our live listings of these SKUs, on every channel. */
export async function readSiblings(db: Db, skus: readonly string[]): Promise<SiblingRow[]> {
  const { rows } = await db.execute<SiblingRow>(sql`
    SELECT sku, marketplace, ${cents('current_price')} AS price, ${cents(countedCharge('listings'))} AS "shippingCharge"
    FROM listings WHERE sku = ANY(${sql.param(skus)}::text[]) AND deleted_at IS NULL ORDER BY id`);
  return rows;
}

export interface ListingMove extends RecentMove, Record<string, unknown> {
  readonly listingId: number;
}

/** No listing changes more often in a day; without a limit a long ledger would be read to its start. */
const MAX_CHANGES = 200;

/** Changes of these prices after a time, the oldest first. */
export async function readRecentMoves(
  db: Db,
  ids: readonly number[],
  since: Instant,
  until: Instant,
): Promise<ListingMove[]> {
  const { rows } = await db.execute<ListingMove>(sql`
    SELECT wanted.id::float8 AS "listingId", ${cents('h.old_price')} AS "oldPrice", ${cents('h.new_price')} AS "newPrice",
      h.source, ${millis('h.timestamp')} AS at, h.facts ->> 'against' AS against
    FROM unnest(${sql.param(ids)}::bigint[]) wanted (id)
    CROSS JOIN LATERAL (SELECT * FROM price_history h WHERE h.listing_id = wanted.id
      ORDER BY h.id DESC LIMIT ${MAX_CHANGES}) h
    WHERE h.timestamp > ${timestamptz(since)} AND h.timestamp <= ${timestamptz(until)}
    ORDER BY h.listing_id, h.id`);
  return rows;
}

/** Units sold of these listings, ever. */
export async function readUnitsSold(db: Db, ids: readonly number[]): Promise<Map<number, number>> {
  const { rows } = await db.execute<{ listingId: number; units: number }>(sql`
    SELECT listing_id::float8 AS "listingId", sum(quantity_sold)::float8 AS units FROM sales_history
    WHERE listing_id = ANY(${sql.param(ids)}::bigint[]) GROUP BY listing_id`);
  return new Map(rows.map(({ listingId, units }) => [listingId, units]));
}
