import { and, isNotNull, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { skus } from '#db/schema/catalog.ts';
import type { Cents, Instant, Ounces } from '#domain/units.ts';

/** A SKU from a provider. */
export interface SyncedSku {
  readonly id: string;
  readonly sku: string;
  readonly name: string;
  readonly productCost: Cents | null;
  readonly weight: Ounces | null;
}

/**
 * Adds SKUs whose code is new; existing ones stay unchanged.
 * @returns the codes that were added
 */
export async function insertNewSkus(tx: Db, given: readonly SyncedSku[], now: Instant): Promise<Set<string>> {
  if (given.length === 0) return new Set();
  const rows = given.map(({ id, sku, name, productCost, weight }) => ({
    sku,
    name,
    productCost,
    weightOz: weight,
    veeqoId: id,
    createdAt: now,
    updatedAt: now,
  }));
  const added = await tx.insert(skus).values(rows).onConflictDoNothing().returning({ sku: skus.sku });
  return new Set(added.map(({ sku }) => sku));
}

/** The codes among these whose SKU was deleted here. */
export async function deletedAmong(db: Db, codes: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .select({ sku: skus.sku })
    .from(skus)
    .where(and(sql`${skus.sku} = ANY(${sql.param(codes)}::text[])`, isNotNull(skus.deletedAt)));
  return new Set(rows.map(({ sku }) => sku));
}
