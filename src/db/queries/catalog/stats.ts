import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { OURS } from '#db/queries/repricing/history-filter.ts';
import { isoTime, timestamptz } from '#db/sql-values.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import { hours, type Instant } from '#domain/units.ts';

/**
 * The figures of one marketplace. Money is a decimal string: sums over a large catalog exceed the range of one price.
 */
export interface MarketplaceFigures {
  readonly marketplace: Marketplace;
  readonly totalListings: number;
  /** Listings with auto-repricing on. */
  readonly activeListings: number;
  readonly totalValue: string;
  readonly avgPrice: string;
  readonly fulfillmentBreakdown: Record<string, number>;
}

/** The figures of the Dashboard; `byMarketplace` has the marketplaces with a listing, in the order of every screen. */
export interface Figures {
  readonly overall: {
    readonly totalListings: number;
    readonly totalSkus: number;
    readonly totalValue: string;
    readonly activeRules: number;
    /** Rows of the ledger since 24 hours before `now`, without imports and external edits. */
    readonly recentPriceChanges: number;
  };
  /** Percent against 7 days earlier, one decimal; null if there was nothing then. */
  readonly trends: {
    readonly totalListings: string | null;
    readonly totalSkus: string | null;
    readonly totalValue: string | null;
    readonly recentPriceChanges: string | null;
  };
  readonly byMarketplace: MarketplaceFigures[];
}

const DAY = hours(24);
const WEEK = hours(7 * 24);

/** Current listings, and those, deleted ones too, that existed a week ago. */
function catalogAt(weekAgo: string): SQL {
  const wasThere = sql`created_at <= ${weekAgo}::timestamptz
    AND (deleted_at IS NULL OR deleted_at > ${weekAgo}::timestamptz)`;
  return sql`
    SELECT marketplace, fulfillment_type, count(*) FILTER (WHERE deleted_at IS NULL) AS listings,
      count(*) FILTER (WHERE deleted_at IS NULL AND auto_repricing_enabled) AS active,
      sum(current_price) FILTER (WHERE deleted_at IS NULL) AS value,
      count(*) FILTER (WHERE ${wasThere}) AS listings_then,
      sum(current_price) FILTER (WHERE ${wasThere}) AS value_of_those
    FROM listings GROUP BY marketplace, fulfillment_type`;
}

/** Change of the prices of last week's listings since then, from the ledger, to compute their value then. */
function movedSince(weekAgo: string): SQL {
  return sql`
    SELECT coalesce(sum(h.new_price - h.old_price), 0) AS moved
    FROM price_history h JOIN listings l ON l.id = h.listing_id
    WHERE h.timestamp > ${weekAgo}::timestamptz AND l.created_at <= ${weekAgo}::timestamptz
      AND (l.deleted_at IS NULL OR l.deleted_at > ${weekAgo}::timestamptz)`;
}

const BY_MARKETPLACE = sql`
  SELECT json_agg(json_build_object(
      'marketplace', marketplace, 'totalListings', listings, 'activeListings', active, 'totalValue', value::text,
      'avgPrice', round(value / listings, 2)::text, 'fulfillmentBreakdown', breakdown)
    ORDER BY array_position(ARRAY['walmart', 'amazon', 'michaels', 'ebay', 'etsy', 'shopify'], marketplace))
  FROM (SELECT marketplace, sum(listings)::bigint AS listings, sum(active)::bigint AS active, sum(value) AS value,
      json_object_agg(fulfillment_type, listings ORDER BY fulfillment_type DESC) AS breakdown
    FROM catalog WHERE listings > 0 GROUP BY marketplace) per_marketplace`;

/** Percent from one figure to another, as text; null if there was nothing before. */
function trend(before: string, now: string): SQL {
  return sql.raw(`round(100 * (${now} - ${before}) / nullif(${before}, 0), 1)::numeric(20, 1)::text`);
}

/** Every figure once, now and a week ago, in one row. */
function totalsAt(now: Instant): SQL {
  const ago = (time: number): SQL => timestamptz(now - time);
  return sql`
    SELECT sums.*, value_of_those - moved AS value_then, skus.*, rules.*, changes.*
    FROM (SELECT coalesce(sum(listings), 0)::bigint AS listings, coalesce(sum(value), 0)::numeric(20, 2) AS value,
        coalesce(sum(listings_then), 0) AS listings_then, coalesce(sum(value_of_those), 0) AS value_of_those
      FROM catalog) sums
    CROSS JOIN moved
    CROSS JOIN (SELECT count(*) FILTER (WHERE deleted_at IS NULL) AS skus,
        (count(*) FILTER (WHERE created_at <= ${ago(WEEK)}
          AND (deleted_at IS NULL OR deleted_at > ${ago(WEEK)})))::numeric AS skus_then
      FROM skus) skus
    CROSS JOIN (SELECT count(*) AS active_rules FROM repricing_rules WHERE is_active AND deleted_at IS NULL) rules
    CROSS JOIN (SELECT
        count(*) FILTER (WHERE h.timestamp > ${ago(DAY)}) AS changes,
        (count(*) FILTER (WHERE h.timestamp <= ${ago(WEEK)}))::numeric AS changes_then
      FROM price_history h
      WHERE ${OURS} AND (h.timestamp > ${ago(DAY)} OR (h.timestamp > ${ago(WEEK + DAY)} AND h.timestamp <= ${ago(WEEK)}))
    ) changes`;
}

/** All figures of the Dashboard in one statement, so that they agree with each other. */
export async function readStats(db: Db, now: Instant): Promise<Figures> {
  const weekAgo = isoTime(now - WEEK);
  const { rows } = await db.execute<{ figures: Figures }>(sql`
    WITH catalog AS MATERIALIZED (${catalogAt(weekAgo)}),
      moved AS MATERIALIZED (${movedSince(weekAgo)}),
      totals AS MATERIALIZED (${totalsAt(now)})
    SELECT json_build_object(
      'overall', json_build_object('totalListings', listings, 'totalSkus', skus, 'totalValue', value::text,
        'activeRules', active_rules, 'recentPriceChanges', changes),
      'trends', json_build_object(
        'totalListings', ${trend('listings_then', 'listings')}, 'totalSkus', ${trend('skus_then', 'skus')},
        'totalValue', ${trend('value_then', 'value')},
        'recentPriceChanges', ${trend('changes_then', 'changes')}),
      'byMarketplace', coalesce((${BY_MARKETPLACE}), '[]'::json)) AS figures
    FROM totals`);
  const [row] = rows;
  if (!row) throw new Error('A statement over totals answered no row.');
  return row.figures;
}
