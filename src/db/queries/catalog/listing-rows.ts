import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import {
  type PriceInProgressRow,
  priceInProgressOf,
} from '#db/queries/marketplaces/sending/failed-prices.ts';
import { SKUS_WITH_SAME_PRICE } from '#db/queries/repricing/price-groups.ts';
import { isoText, isoTime } from '#db/sql-values.ts';
import type { ListingChannel } from '#domain/connections/listing-channel.ts';
import type { FulfillmentType, Marketplace } from '#domain/marketplaces.ts';
import type { NoCompetitor, Strategy } from '#domain/rules/rule.ts';
import type { Instant } from '#domain/units.ts';
import { LISTING_MONEY, REPORTED_FEE, soldIn30Days } from './listing-money.ts';

/** A listing for screens. Money and percentages are decimal strings, times ISO 8601. */
export type ListingRow = {
  readonly id: string;
  readonly marketplace: Marketplace;
  readonly marketplaceItemId: string | null;
  readonly sku: string;
  readonly title: string;
  readonly imageUrl: string | null;
  readonly currentPrice: string;
  readonly amazonWalmartPrice: string | null;
  readonly thirdPartyFbaWfsPrice: string | null;
  readonly thirdPartyFbmPrice: string | null;
  readonly totalCost: string | null;
  readonly margin: string | null;
  readonly profit: string | null;
  readonly feeRate: string | null;
  readonly feeTold: { at: string; price: string } | null;
  readonly sold: { units: number; profit: string | null; sales: number; known: number; told: number };
  readonly fulfillmentType: FulfillmentType;
  readonly channel: ListingChannel | null;
  readonly autoRepricingEnabled: boolean;
  readonly minPrice: string | null;
  readonly maxPrice: string | null;
  readonly shippingCost: string | null;
  readonly shippingCharge: string;
  readonly fulfillmentCost: string | null;
  readonly feeCategory: string | null;
  readonly ownFeeRate: string | null;
  readonly adShare: string | null;
  readonly mapPrice: string | null;
  readonly mapFrom: string | null;
  readonly mapUntil: string | null;
  readonly externalPrice: string | null;
  readonly externalPriceAt: string | null;
  readonly returnShare: string | null;
  readonly brand: string | null;
  readonly supplier: string | null;
  readonly ownBrand: string | null;
  readonly ownSupplier: string | null;
  readonly tags: string[];
  readonly ownRuleId: string | null;
  readonly rule: {
    readonly id: string;
    readonly name: string;
    readonly strategy: Strategy;
    readonly hasLines: boolean;
    readonly noCompetitor: NoCompetitor;
  } | null;
  readonly marginFloor: string | null;
  readonly competitorPrice: string | null;
  readonly recommendedPrice: string | null;
  readonly recommendedPriceReason: string | null;
  readonly outcome: 'change' | 'keep' | 'recommend' | 'blocked' | null;
  readonly reasonCode: string | null;
  readonly gaps: string[];
  readonly decidedAt: string | null;
  readonly hold: { until: string | null; by: string; reason: string } | null;
  readonly awaitingUploadSince: string | null;
  readonly priceInProgress: PriceInProgressRow | null;
  readonly lastRepriced: string | null;
  readonly sharesPriceWith: string[];
  readonly version: number;
};

/** The hold, unless it has expired. */
function holdAt(now: Instant): SQL {
  const moment = isoTime(now);
  return sql`CASE WHEN l.held_by IS NULL OR l.held_until <= ${moment}::timestamptz THEN NULL
    ELSE json_build_object('until', ${isoText(sql`l.held_until`)}, 'by', l.held_by, 'reason', l.hold_reason) END`;
}

/** These listings in the order of `ids`, without deleted ones. */
export async function readListingRows(db: Db, ids: readonly number[], now: Instant): Promise<ListingRow[]> {
  if (ids.length === 0) return [];
  const { rows } = await db.execute<ListingRow>(sql`
    SELECT l.id::text AS id, l.marketplace, l.marketplace_item_id AS "marketplaceItemId", w.channel, l.sku, l.title,
      l.image_url AS "imageUrl", l.current_price AS "currentPrice", m.amazon_walmart_price AS "amazonWalmartPrice",
      m.third_party_fba_wfs_price AS "thirdPartyFbaWfsPrice", m.third_party_fbm_price AS "thirdPartyFbmPrice",
      m.total_cost AS "totalCost", m.margin, ${LISTING_MONEY}, ${REPORTED_FEE} AS "feeTold",
      json_build_object('units', coalesce(sold.units, 0), 'profit', sold.profit::text, 'sales', coalesce(sold.sales, 0),
        'known', coalesce(sold.known, 0), 'told', coalesce(sold.told, 0)) AS sold, l.fulfillment_type AS "fulfillmentType",
      l.auto_repricing_enabled AS "autoRepricingEnabled", l.min_price AS "minPrice", l.max_price AS "maxPrice",
      l.shipping_cost AS "shippingCost", l.shipping_charge AS "shippingCharge",
      l.fulfillment_cost AS "fulfillmentCost", l.fee_category AS "feeCategory", l.fee_rate AS "ownFeeRate",
      l.ad_share AS "adShare", l.return_share AS "returnShare",
      l.map_price AS "mapPrice", l.map_from::text AS "mapFrom", l.map_until::text AS "mapUntil",
      l.external_price AS "externalPrice", ${isoText(sql`l.external_price_at`)} AS "externalPriceAt", coalesce(l.brand, s.brand) AS brand,
      coalesce(l.supplier, s.supplier) AS supplier, l.brand AS "ownBrand", l.supplier AS "ownSupplier",
      coalesce(s.tags, '{}') AS tags, l.rule_id::text AS "ownRuleId",
      CASE WHEN r.id IS NOT NULL THEN json_build_object(
        'id', r.id::text, 'name', r.name, 'strategy', r.strategy,
        'hasLines', r.lines IS NOT NULL, 'noCompetitor', r.no_competitor) END AS rule,
      m.margin_floor AS "marginFloor", l.competitor_price AS "competitorPrice",
      l.recommended_price AS "recommendedPrice", l.recommended_price_reason AS "recommendedPriceReason",
      m.outcome, m.reason_code AS "reasonCode", coalesce(m.missing_facts, '{}') AS gaps,
      ${isoText(sql`m.decided_at`)} AS "decidedAt", ${holdAt(now)} AS hold,
      ${isoText(sql`l.awaiting_upload_since`)} AS "awaitingUploadSince",
      ${priceInProgressOf(now)} AS "priceInProgress",
      ${isoText(sql`l.last_repriced`)} AS "lastRepriced", ${SKUS_WITH_SAME_PRICE} AS "sharesPriceWith", l.version
    FROM unnest(${sql.param(ids)}::bigint[]) WITH ORDINALITY AS page (id, place)
    JOIN listings l ON l.id = page.id AND l.deleted_at IS NULL
    JOIN listing_keys k ON k.listing_id = l.id
    LEFT JOIN listing_metrics m ON m.listing_id = l.id
    LEFT JOIN marketplace_listings w ON w.listing_id = l.id
    LEFT JOIN skus s ON s.sku = l.sku AND s.deleted_at IS NULL
    LEFT JOIN repricing_rules r ON r.id = m.rule_id
    ${soldIn30Days(now)}
    ORDER BY page.place`);
  return rows;
}

/** One listing; null when it does not exist or was deleted. */
export async function readListing(db: Db, id: string, now: Instant): Promise<ListingRow | null> {
  const [row] = await readListingRows(db, [Number(id)], now);
  return row ?? null;
}
