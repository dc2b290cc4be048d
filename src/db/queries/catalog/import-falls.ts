import { sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import type { LoweredFloors } from '#db/schema/imports.ts';
import { cents } from '#db/sql-values.ts';
import type { Cents } from '#domain/units.ts';

/** A lowest allowed price as the check of a file found it, and the lowest that the file would lower it to. */
export interface ShownFall extends Record<string, unknown> {
  readonly id: number;
  readonly before: Cents;
  readonly after: Cents;
}

const FALL = sql`listing_id::float8 AS id, ${cents('before')} AS before, ${cents('after')} AS after`;

/** Deletes the findings of an earlier check or of an import that has ended. */
export async function clearShown(db: Db, importId: number): Promise<void> {
  await db.execute(sql`DELETE FROM import_falls WHERE import_id = ${importId}`);
  await db.execute(sql`DELETE FROM import_jumps WHERE import_id = ${importId}`);
}

/** A lowered lowest allowed price with its listing. */
type NamedFall = LoweredFloors['worst'][number];

/**
 * Stores lowest allowed prices that a file lowers, each listing once. An existing one keeps the higher before and the
 * lower after.
 */
export async function writeFalls(
  tx: Db,
  importId: number,
  falls: readonly Pick<NamedFall, 'listingId' | 'from' | 'to'>[],
): Promise<void> {
  if (falls.length === 0) return;
  const column = (name: 'listingId' | 'from' | 'to') => sql.param(falls.map((fall) => fall[name]));
  await tx.execute(sql`
    INSERT INTO import_falls AS f (import_id, listing_id, before, after)
    SELECT ${importId}, id, before / 100.0, after / 100.0
    FROM unnest(${column('listingId')}::bigint[], ${column('from')}::bigint[], ${column('to')}::bigint[])
      n (id, before, after)
    ON CONFLICT (import_id, listing_id) DO UPDATE
      SET before = greatest(f.before, excluded.before), after = least(f.after, excluded.after)`);
}

/** Deletes the stored findings for these listings. */
export async function forgetFalls(tx: Db, importId: number, ids: readonly number[]): Promise<void> {
  await tx.execute(sql`
    DELETE FROM import_falls WHERE import_id = ${importId} AND listing_id = ANY(${sql.param([...ids])}::bigint[])`);
}

/** Stored findings by listing. @param after the last listing before @param max how many */
export async function listFalls(db: Db, importId: number, after: number, max: number): Promise<NamedFall[]> {
  const { rows } = await db.execute<Record<string, unknown> & NamedFall>(sql`
    SELECT f.listing_id::float8 AS "listingId", l.marketplace, l.sku, ${cents('f.before')} AS "from",
      ${cents('f.after')} AS "to"
    FROM import_falls f JOIN listings l ON l.id = f.listing_id
    WHERE f.import_id = ${importId} AND f.listing_id > ${after} ORDER BY f.listing_id LIMIT ${max}`);
  return rows;
}

/** The check's findings for these listings. */
export async function readFalls(
  tx: Db,
  importId: number,
  ids: readonly number[],
): Promise<Map<number, ShownFall>> {
  const { rows } = await tx.execute<ShownFall>(sql`
    SELECT ${FALL} FROM import_falls WHERE import_id = ${importId} AND listing_id = ANY(${sql.param([...ids])}::bigint[])`);
  return new Map(rows.map((row) => [row.id, row]));
}
