import { sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { listingCosts } from '#db/schema/listings.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import type { DatedListingCosts } from '#domain/sales/dated-costs.ts';
import type { Instant } from '#domain/units.ts';

/** Adds costs of listings to those entered so far, in this order. A row is never changed. */
export async function addListingCosts(
  tx: Db,
  costs: readonly (DatedListingCosts & { readonly listingId: number })[],
  now: Instant,
): Promise<void> {
  // Parameters of one statement are limited.
  for (let from = 0; from < costs.length; from += 1_000) {
    await tx.insert(listingCosts).values(
      costs.slice(from, from + 1_000).map(({ isFulfillmentReported, ...cost }) => ({
        ...cost,
        fulfillmentIsEstimate: isFulfillmentReported,
        enteredAt: now,
      })),
    );
  }
}

/** Sources of a listing's cost, without its amounts. */
export interface CostOrigin {
  readonly isBundle: boolean;
  readonly isEstimate: boolean;
  readonly skuId: number | null;
  readonly skuVersion: number | null;
}

/** @param listingId of an existing listing */
export async function readCostOrigin(db: Db, listingId: number): Promise<CostOrigin> {
  const { rows } = await db.execute<{
    isBundle: boolean;
    isEstimate: boolean;
    skuId: string | null;
    skuVersion: number | null;
  }>(sql`
    SELECT EXISTS (SELECT FROM bundle_components b WHERE b.listing_sku = l.sku) AS "isBundle",
      l.fulfillment_cost_is_estimate AS "isEstimate", s.id AS "skuId", s.version AS "skuVersion"
    FROM listings l LEFT JOIN skus s ON s.sku = l.sku AND s.deleted_at IS NULL WHERE l.id = ${listingId}`);
  const [row] = rows;
  if (row === undefined) throw new Error(`There is no listing ${listingId}.`);
  return { ...row, skuId: row.skuId === null ? null : Number(row.skuId) };
}

export interface SharingListing {
  readonly id: number;
  readonly marketplace: Marketplace;
  readonly sku: string;
}

/**
 * The other live listings whose cost includes the SKU of a listing: those with its code, and bundles with it, by ID.
 */
export async function readSharing(db: Db, listingId: number): Promise<SharingListing[]> {
  const { rows } = await db.execute<{ id: string; marketplace: Marketplace; sku: string }>(sql`
    SELECT other.id, other.marketplace, other.sku
    FROM listings l JOIN listings other ON other.id <> l.id AND other.deleted_at IS NULL AND other.sku IN (
      SELECT l.sku UNION SELECT b.listing_sku FROM bundle_components b JOIN skus s ON s.id = b.component_sku_id
      WHERE s.sku = l.sku)
    WHERE l.id = ${listingId} ORDER BY other.id`);
  return rows.map((row) => ({ ...row, id: Number(row.id) }));
}
