import { sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';

/** Steps of the setup that are done. */
export type SetupProgress = {
  readonly import: boolean;
  readonly own_sellers: boolean;
  readonly shipping: boolean;
  readonly fees: boolean;
  readonly rule: boolean;
  readonly review: boolean;
  readonly go_live: boolean;
  readonly isDismissed: boolean;
  readonly isDemo: boolean;
};

/**
 * The steps that are done: a SKU and a listing exist · an own seller is set on every marketplace where our listings
 * have offers · a listing has a shipping cost, a tier exists, or no listing is FBM · the fees were checked · an active rule prices a
 * listing · the plan was reviewed or a recommendation applied · a marketplace is live.
 */
export async function readSetup(db: Db): Promise<SetupProgress> {
  const { rows } = await db.execute<SetupProgress>(sql`
    WITH shop AS (
      SELECT EXISTS (SELECT FROM listing_keys WHERE is_live) AS has_listings, 
        EXISTS (SELECT FROM skus WHERE deleted_at IS NULL) AS has_skus
    ), reached AS (
      SELECT coalesce(array_agg(name), '{}') AS names FROM setup_flags
    )
    SELECT has_listings AND has_skus AS import,
      has_listings AND NOT EXISTS (
        SELECT FROM marketplace_modes e
        WHERE NOT EXISTS (SELECT FROM own_sellers o WHERE o.marketplace = e.marketplace) AND EXISTS (
          SELECT FROM listing_keys k JOIN competitor_offers c ON c.listing_id = k.listing_id
          WHERE k.is_live AND k.marketplace = e.marketplace)
      ) AS own_sellers,
      has_listings AND (EXISTS (SELECT FROM shipping_tiers)
        OR EXISTS (SELECT FROM listings WHERE deleted_at IS NULL AND shipping_cost IS NOT NULL)
        OR NOT EXISTS (SELECT FROM listing_keys WHERE is_live AND fulfillment_type = 'FBM')) AS shipping,
      'fees_checked' = ANY(names) AS fees,
      EXISTS (
        SELECT FROM repricing_rules r WHERE r.is_active AND r.deleted_at IS NULL
          AND EXISTS (SELECT FROM listing_keys k WHERE k.is_live AND k.rule_id = r.id)
      ) AS rule,
      'plan_reviewed' = ANY(names) OR EXISTS (SELECT FROM price_history WHERE source = 'apply') AS review,
      EXISTS (SELECT FROM marketplace_modes WHERE mode = 'live') AS go_live,
      'setup_dismissed' = ANY(names) AS "isDismissed",
      'demo' = ANY(names) AS "isDemo"
    FROM shop, reached`);
  const [row] = rows;
  if (!row) throw new Error('A statement without a table of many rows answered none.');
  return row;
}
