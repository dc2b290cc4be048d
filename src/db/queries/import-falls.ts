import { sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import type { Cents } from '#domain/units.ts';
import { cents } from './whole-columns.ts';

/** A lowest allowed price as the check of a file found it, and the lowest that the file would bring it to. */
export interface ShownFall extends Record<string, unknown> {
  readonly id: number;
  readonly before: Cents;
  readonly after: Cents;
}

const FALL = sql`listing_id::float8 AS id, ${cents('before')} AS before, ${cents('after')} AS after`;

/** Forgets what an earlier check has shown, and what an import that has ended was held against. */
export async function clearFalls(db: Db, importId: number): Promise<void> {
  await db.execute(sql`DELETE FROM import_falls WHERE import_id = ${importId}`);
}

/**
 * Adds what one batch of a file lets fall. A listing that several batches let fall, as a bundle whose components are far
 * apart, falls by all of them; each floor is rounded up to a cent, so that together it may be one more.
 * @returns those listings with what all batches so far come to
 */
export async function addFalls(
  tx: Db,
  importId: number,
  falls: readonly Pick<ShownFall, 'id' | 'before' | 'after'>[],
): Promise<ShownFall[]> {
  const column = (name: 'id' | 'before' | 'after') => sql.param(falls.map((fall) => fall[name]));
  const { rows } = await tx.execute<ShownFall>(sql`
    INSERT INTO import_falls AS f (import_id, listing_id, before, after)
    SELECT ${importId}, id, before / 100.0, after / 100.0
    FROM unnest(${column('id')}::bigint[], ${column('before')}::bigint[], ${column('after')}::bigint[])
      n (id, before, after)
    ON CONFLICT (import_id, listing_id) DO UPDATE
      SET after = greatest(0.01, f.after - (excluded.before - excluded.after) - 0.01)
    RETURNING ${FALL}`);
  return rows;
}

/** What the check has shown of these listings. */
export async function readFalls(
  tx: Db,
  importId: number,
  ids: readonly number[],
): Promise<Map<number, ShownFall>> {
  const { rows } = await tx.execute<ShownFall>(sql`
    SELECT ${FALL} FROM import_falls WHERE import_id = ${importId} AND listing_id = ANY(${sql.param([...ids])}::bigint[])`);
  return new Map(rows.map((row) => [row.id, row]));
}
