import { sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import type { Instant } from '#domain/units.ts';
import { withVersions } from './bundles.ts';
import { rowsTable, type TextRow } from './import-rows.ts';

/** The ids of SKUs by their codes; deleted ones are not found. */
export async function findSkuIds(db: Db, codes: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await db.execute<{ id: string; sku: string }>(
    sql`SELECT id::text, sku FROM skus WHERE sku = ANY(${sql.param(codes)}::text[]) AND deleted_at IS NULL`,
  );
  return new Map(rows.map(({ id, sku }) => [sku, id]));
}

/** The stored components of these listing SKUs. */
export async function findComponents(
  db: Db,
  listingSkus: readonly string[],
): Promise<{ listingSku: string; componentSku: string; quantity: number }[]> {
  const { rows } = await db.execute<{ listingSku: string; componentSku: string; quantity: number }>(sql`
    SELECT b.listing_sku AS "listingSku", s.sku AS "componentSku", b.quantity
    FROM bundle_components b JOIN skus s ON s.id = b.component_sku_id
    WHERE b.listing_sku = ANY(${sql.param(listingSkus)}::text[]) ORDER BY b.id`);
  return rows;
}

/** Replaces all components of these listing SKUs, and confirms that they are bundles. */
export async function replaceComponents(
  db: Db,
  listingSkus: readonly string[],
  components: readonly TextRow[],
  now: Instant,
): Promise<void> {
  if (listingSkus.length === 0) return;
  const bundles = sql`${sql.param(listingSkus)}::text[]`;
  const types = { listingSku: 'text', componentId: 'bigint', quantity: 'integer' };
  await withVersions(db, listingSkus, now, async () => {
    await db.execute(sql`DELETE FROM bundle_components WHERE listing_sku = ANY(${bundles})`);
    await db.execute(sql`
      INSERT INTO bundle_components (listing_sku, component_sku_id, quantity)
      SELECT "listingSku", "componentId", quantity FROM ${rowsTable('r', types, components)}`);
  });
  await db.execute(
    sql`UPDATE listings SET bundle_unconfirmed = false WHERE bundle_unconfirmed AND sku = ANY(${bundles})`,
  );
}
