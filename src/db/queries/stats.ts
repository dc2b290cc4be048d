import { sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import type { Instant } from '#domain/units.ts';

/** The figures of one marketplace. Money is a decimal string: sums of a big catalogue exceed what one price can hold. */
export interface MarketplaceFigures {
  readonly marketplace: Marketplace;
  readonly totalListings: number;
  /** Listings with auto-repricing on. */
  readonly activeListings: number;
  readonly totalValue: string;
  readonly avgPrice: string;
  readonly fulfillmentBreakdown: Record<string, number>;
}

/** The figures of the Dashboard; `byMarketplace` names marketplaces with a listing, in the order of every screen. */
export interface Figures {
  readonly overall: {
    readonly totalListings: number;
    readonly totalSkus: number;
    readonly totalValue: string;
    readonly activeRules: number;
    /** Rows of the ledger since 24 hours before `now`, without imports and outside edits. */
    readonly recentPriceChanges: number;
  };
  readonly byMarketplace: MarketplaceFigures[];
}

const LIVE = sql`
  SELECT marketplace, fulfillment_type, count(*) AS listings,
    count(*) FILTER (WHERE auto_repricing_enabled) AS active, sum(current_price) AS value
  FROM listings WHERE deleted_at IS NULL GROUP BY marketplace, fulfillment_type`;

const BY_MARKETPLACE = sql`
  SELECT json_agg(json_build_object(
      'marketplace', marketplace, 'totalListings', listings, 'activeListings', active, 'totalValue', value::text,
      'avgPrice', round(value / listings, 2)::text, 'fulfillmentBreakdown', breakdown)
    ORDER BY array_position(ARRAY['walmart', 'amazon', 'michaels', 'ebay', 'etsy', 'shopify'], marketplace))
  FROM (SELECT marketplace, sum(listings)::bigint AS listings, sum(active)::bigint AS active, sum(value) AS value,
      json_object_agg(fulfillment_type, listings ORDER BY fulfillment_type DESC) AS breakdown
    FROM live GROUP BY marketplace) per_marketplace`;

/** Everything on the Dashboard by one statement, so that its figures agree with each other. */
export async function readStats(db: Db, now: Instant): Promise<Figures> {
  const dayAgo = new Date(now - 86_400_000).toISOString();
  const { rows } = await db.execute<{ figures: Figures }>(sql`
    WITH live AS MATERIALIZED (${LIVE})
    SELECT json_build_object(
      'overall', json_build_object(
        'totalListings', (SELECT coalesce(sum(listings), 0)::bigint FROM live),
        'totalSkus', (SELECT count(*) FROM skus WHERE deleted_at IS NULL),
        'totalValue', (SELECT coalesce(sum(value), 0)::numeric(20, 2)::text FROM live),
        'activeRules', (SELECT count(*) FROM repricing_rules WHERE is_active AND deleted_at IS NULL),
        'recentPriceChanges', (SELECT count(*) FROM price_history
          WHERE timestamp > ${dayAgo}::timestamptz AND source NOT IN ('import', 'observed'))),
      'byMarketplace', coalesce((${BY_MARKETPLACE}), '[]'::json)) AS figures`);
  const [row] = rows;
  if (!row) throw new Error('A statement without FROM answered no row.');
  return row.figures;
}
