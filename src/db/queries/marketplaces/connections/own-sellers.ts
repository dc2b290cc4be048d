import { asc, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { ownSellers } from '#db/schema/offers.ts';
import type { SellerKey } from '#domain/competition/offer.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import { rehideSellers } from './ebay-sellers.ts';

export type OwnSellerRow = typeof ownSellers.$inferSelect;

/** One of our names on a marketplace. */
export interface OwnSeller {
  readonly marketplace: Marketplace;
  readonly name: string;
  readonly sellerKey: SellerKey;
}

/** Our own sellers, by name. */
export async function listOwnSellers(db: Db): Promise<OwnSellerRow[]> {
  return db.select().from(ownSellers).orderBy(asc(ownSellers.sellerKey));
}

/** Locks the own sellers against changes until the end of the transaction; reads continue. */
export async function lockOwnSellers(tx: Db): Promise<void> {
  await tx.execute(sql`LOCK TABLE ${ownSellers} IN SHARE ROW EXCLUSIVE MODE`);
}

/**
 * Replaces the own sellers of these marketplaces. Unchanged names are not written, so their listings do not become due.
 */
export async function replaceOwnSellers(
  tx: Db,
  marketplaces: readonly Marketplace[],
  sellers: readonly OwnSeller[],
): Promise<void> {
  const on = sellers.map(({ marketplace }) => marketplace);
  const keys = sellers.map(({ sellerKey }) => sellerKey);
  const names = sellers.map(({ name }) => name);
  const given = sql`unnest(${sql.param(on)}::text[], ${sql.param(keys)}::text[], ${sql.param(names)}::text[])
    AS given (marketplace, seller_key, name)`;
  await tx.execute(sql`
    DELETE FROM own_sellers o WHERE o.marketplace = ANY (${sql.param([...marketplaces])}::text[])
      AND NOT EXISTS (SELECT FROM ${given} WHERE given.marketplace = o.marketplace AND given.seller_key = o.seller_key)`);
  await tx.execute(sql`
    UPDATE own_sellers o SET name = given.name FROM ${given}
    WHERE given.marketplace = o.marketplace AND given.seller_key = o.seller_key AND given.name <> o.name`);
  await tx.execute(sql`
    INSERT INTO own_sellers (marketplace, seller_key, name)
    SELECT given.marketplace, given.seller_key, given.name FROM ${given}
    WHERE NOT EXISTS (
      SELECT FROM own_sellers o WHERE o.marketplace = given.marketplace AND o.seller_key = given.seller_key)`);
  if (marketplaces.includes('ebay')) await rehideSellers(tx);
}

/** Sellers seen on a marketplace. */
export interface SellersSeen {
  readonly marketplace: Marketplace;
  readonly listings: number;
  readonly suggestions: readonly { readonly name: string; readonly listings: number }[];
}

/**
 * Per marketplace with listings: their number, and the max frequent third-party sellers not marked as ours. A label of
 * eBay suggests nothing: many sellers share it.
 */
export async function readSellersSeen(db: Db, max: number): Promise<SellersSeen[]> {
  const { rows } = await db.execute<SellersSeen & Record<string, unknown>>(sql`
    WITH seen AS (
      SELECT l.marketplace, o.seller_key, min(o.seller_name) AS name, count(DISTINCT l.id)::int AS listings
      FROM competitor_offers o JOIN listings l ON l.id = o.listing_id AND l.deleted_at IS NULL
      WHERE o.seller_key IS NOT NULL AND o.seller_name IS NOT NULL AND o.seller_hash IS NULL AND NOT o.is_marketplace
        AND NOT o.is_ours AND NOT EXISTS (
          SELECT FROM own_sellers own WHERE own.marketplace = l.marketplace AND own.seller_key = o.seller_key)
      GROUP BY l.marketplace, o.seller_key),
    ranked AS (
      SELECT *, row_number() OVER (PARTITION BY marketplace ORDER BY listings DESC, seller_key) AS place FROM seen)
    SELECT l.marketplace, count(*)::int AS listings, coalesce((
      SELECT json_agg(json_build_object('name', r.name, 'listings', r.listings) ORDER BY r.place)
      FROM ranked r WHERE r.marketplace = l.marketplace AND r.place <= ${max}), '[]'::json) AS suggestions
    FROM listings l WHERE l.deleted_at IS NULL GROUP BY l.marketplace`);
  return rows;
}
