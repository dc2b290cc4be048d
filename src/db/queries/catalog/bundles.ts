import { and, asc, eq, isNull, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { bundleComponents, skus } from '#db/schema/catalog.ts';
import { listings } from '#db/schema/listings.ts';

export type SkuRecord = typeof skus.$inferSelect;

/** Locks bundles against changes until the end of the transaction; reads continue. */
export async function lockBundles(tx: Db): Promise<void> {
  await tx.execute(sql`LOCK TABLE ${bundleComponents} IN SHARE ROW EXCLUSIVE MODE`);
}

/** A stored component with its SKU. */
export interface StoredComponent {
  readonly component: typeof bundleComponents.$inferSelect;
  readonly sku: SkuRecord;
}

/** Components of these listing SKUs, in stored order. */
export async function readBundles(db: Db, listingSkus: readonly string[]): Promise<StoredComponent[]> {
  return db
    .select({ component: bundleComponents, sku: skus })
    .from(bundleComponents)
    .innerJoin(skus, eq(skus.id, bundleComponents.componentSkuId))
    .where(sql`${bundleComponents.listingSku} = ANY(${sql.param(listingSkus)}::text[])`)
    .orderBy(asc(bundleComponents.id));
}

/** SKUs by their IDs, deleted ones too. */
export async function findSkusById(db: Db, ids: readonly number[]): Promise<SkuRecord[]> {
  return db
    .select()
    .from(skus)
    .where(sql`${skus.id} = ANY(${sql.param(ids)}::bigint[])`)
    .orderBy(asc(skus.id));
}

/** A SKU that is not deleted. */
export async function findSkuByCode(db: Db, code: string): Promise<SkuRecord | null> {
  const [row] = await db
    .select()
    .from(skus)
    .where(and(eq(skus.sku, code), isNull(skus.deletedAt)));
  return row ?? null;
}

/** The live listings with these SKUs, on every marketplace. */
export async function listingsOfSkus(
  db: Db,
  listingSkus: readonly string[],
): Promise<{ id: number; sku: string; bundleUnconfirmed: boolean }[]> {
  return db
    .select({ id: listings.id, sku: listings.sku, bundleUnconfirmed: listings.bundleUnconfirmed })
    .from(listings)
    .where(sql`${listings.sku} = ANY(${sql.param(listingSkus)}::text[]) AND ${listings.deletedAt} IS NULL`)
    .orderBy(asc(listings.id));
}

/** Deletes a bundle. @returns its components */
export async function deleteBundle(
  tx: Db,
  listingSku: string,
): Promise<(typeof bundleComponents.$inferSelect)[]> {
  return tx.delete(bundleComponents).where(eq(bundleComponents.listingSku, listingSku)).returning();
}

/**
 * Sets whether it is unconfirmed that these listings are no bundles: their cost is unknown then. Deleted listings too,
 * since they may be restored.
 */
export async function markUnconfirmed(
  tx: Db,
  listingSkus: readonly string[],
  isUnconfirmed: boolean,
): Promise<void> {
  if (listingSkus.length === 0) return;
  await tx
    .update(listings)
    .set({ bundleUnconfirmed: isUnconfirmed })
    .where(
      sql`${listings.sku} = ANY(${sql.param(listingSkus)}::text[]) AND ${listings.bundleUnconfirmed} <> ${isUnconfirmed}`,
    );
}
