import { and, asc, eq, isNull, type SQL, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { skus } from '#db/schema/catalog.ts';
import type { Instant } from '#domain/units.ts';
import { REVIVE } from './import-skus.ts';
import { type SkuFilter, skuCondition } from './skus.ts';

export type SkuRecord = typeof skus.$inferSelect;

/** Fields of a new SKU. */
export type NewSkuRow = Pick<
  SkuRecord,
  | 'sku'
  | 'name'
  | 'productCost'
  | 'weightOz'
  | 'packagingCost'
  | 'miscCost'
  | 'veeqoId'
  | 'brand'
  | 'supplier'
  | 'tags'
  | 'lengthIn'
  | 'widthIn'
  | 'heightIn'
  | 'isHazardous'
>;

/** Fields that a user may change on a SKU. Undefined is unchanged, null is unknown. */
export type SkuChange = {
  readonly [Field in Exclude<keyof NewSkuRow, 'sku'>]?: SkuRecord[Field] | undefined;
};

const among = (ids: readonly number[]): SQL => sql`${skus.id} = ANY(${sql.param(ids)}::bigint[])`;

/** Adds a SKU, reusing the row of a deleted one with this code. @returns its ID, or null when the code is taken */
export async function insertSku(tx: Db, row: NewSkuRow, now: Instant): Promise<number | null> {
  const insert = tx
    .insert(skus)
    .values({ ...row, createdAt: now, updatedAt: now })
    .getSQL();
  const { rows } = await tx.execute<{ id: string }>(sql`${insert} ON CONFLICT (sku) ${REVIVE} RETURNING id`);
  return rows[0] === undefined ? null : Number(rows[0].id);
}

/** A SKU by its code; null when there is none. */
export async function findSku(db: Db, code: string): Promise<SkuRecord | null> {
  const [row] = await db
    .select()
    .from(skus)
    .where(and(eq(skus.sku, code), isNull(skus.deletedAt)));
  return row ?? null;
}

/** A SKU by its ID; null when there is none or it is deleted. */
export async function findSkuById(db: Db, id: number): Promise<SkuRecord | null> {
  const [row] = await db
    .select()
    .from(skus)
    .where(and(eq(skus.id, id), isNull(skus.deletedAt)));
  return row ?? null;
}

/** Locks a SKU and reads it; null when there is none or it is deleted. */
export async function lockSku(tx: Db, id: number): Promise<SkuRecord | null> {
  const [row] = await lockSkus(tx, [id]);
  return row ?? null;
}

/** Locks SKUs, in the same order as every transaction, and reads them, without deleted ones. */
export async function lockSkus(tx: Db, ids: readonly number[]): Promise<SkuRecord[]> {
  return tx
    .select()
    .from(skus)
    .where(and(among(ids), isNull(skus.deletedAt)))
    .orderBy(asc(skus.id))
    .for('no key update');
}

/** The same for deleted ones. */
export async function lockDeletedSkus(tx: Db, ids: readonly number[]): Promise<SkuRecord[]> {
  return tx
    .select()
    .from(skus)
    .where(and(among(ids), sql`${skus.deletedAt} IS NOT NULL`))
    .orderBy(asc(skus.id))
    .for('no key update');
}

/**
 * Locks the costs of listings against changes until the end of the transaction, after waiting for changes in progress:
 * those of their SKUs, deleted ones too, and of the components of their bundles.
 */
export async function shareCosts(tx: Db, codes: readonly string[]): Promise<void> {
  await tx.execute(sql`
    SELECT FROM skus WHERE id IN (
      SELECT id FROM skus WHERE sku = ANY(${sql.param([...codes])}::text[])
      UNION SELECT component_sku_id FROM bundle_components WHERE listing_sku = ANY(${sql.param([...codes])}::text[]))
    ORDER BY id FOR SHARE`);
}

/** Changes a SKU and counts one edit. */
export async function updateSku(tx: Db, id: number, change: SkuChange, now: Instant): Promise<void> {
  await tx
    .update(skus)
    .set({ ...change, version: sql`${skus.version} + 1`, updatedAt: now })
    .where(eq(skus.id, id));
}

/** Marks SKUs as hazardous, or no longer, and counts one edit of each. */
export async function writeHazardous(
  tx: Db,
  ids: readonly number[],
  isHazardous: boolean,
  now: Instant,
): Promise<void> {
  await tx
    .update(skus)
    .set({ isHazardous, version: sql`${skus.version} + 1`, updatedAt: now })
    .where(among(ids));
}

/** Marks SKUs as deleted, or restores them with null. */
export async function writeDeletedSkus(
  tx: Db,
  ids: readonly number[],
  deletedAt: Instant | null,
  now: Instant,
): Promise<void> {
  await tx
    .update(skus)
    .set({ deletedAt, version: sql`${skus.version} + 1`, updatedAt: now })
    .where(among(ids));
}

/** The SKUs that a filter shows now, by ID. */
export async function idsOfFilter(db: Db, filter: SkuFilter): Promise<number[]> {
  const { rows } = await db.execute<{ ids: number[] | null }>(
    sql`SELECT json_agg(s.id ORDER BY s.id) AS ids FROM skus s WHERE ${skuCondition(filter)}`,
  );
  return rows[0]?.ids ?? [];
}

/** Codes of listings that SKUs go into: their own, and those of bundles they are part of. */
const codesTouched = (ids: readonly number[]): SQL => sql`
  SELECT sku FROM skus WHERE id = ANY(${sql.param(ids)}::bigint[])
  UNION SELECT listing_sku FROM bundle_components WHERE component_sku_id = ANY(${sql.param(ids)}::bigint[])`;

/** The living listings whose cost these SKUs go into, by id. */
export async function listingsTouched(db: Db, ids: readonly number[]): Promise<number[]> {
  const { rows } = await db.execute<{ ids: number[] | null }>(sql`
    SELECT json_agg(id ORDER BY id) AS ids FROM listings WHERE deleted_at IS NULL AND sku IN (${codesTouched(ids)})`);
  return rows[0]?.ids ?? [];
}

/** How many living listings, and how many bundles, these SKUs go into. */
export async function countSkuUses(
  db: Db,
  ids: readonly number[],
): Promise<{ readonly listings: number; readonly bundles: number }> {
  const { rows } = await db.execute<{ listings: number; bundles: number }>(sql`
    SELECT (SELECT count(*)::int FROM listings WHERE deleted_at IS NULL AND sku IN (${codesTouched(ids)})) AS listings,
      (SELECT count(DISTINCT listing_sku)::int FROM bundle_components
        WHERE component_sku_id = ANY(${sql.param(ids)}::bigint[])) AS bundles`);
  return rows[0] ?? { listings: 0, bundles: 0 };
}

/** How many of these SKUs are there, and the first codes among them. */
export async function namesOfSkus(
  db: Db,
  ids: readonly number[],
  most: number,
): Promise<{ readonly count: number; readonly named: string[] }> {
  const { rows } = await db.execute<{ count: number; named: string[] | null }>(sql`
    SELECT count(*)::int AS count, (array_agg(sku ORDER BY sku_key, id))[1:${most}::int] AS named
    FROM skus WHERE id = ANY(${sql.param(ids)}::bigint[]) AND deleted_at IS NULL`);
  const [row] = rows;
  return { count: row?.count ?? 0, named: row?.named ?? [] };
}
