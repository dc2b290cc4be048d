import { sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { cents, isoTime, timestamptz } from '#db/sql-values.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import { type Cents, type Instant, instant } from '#domain/units.ts';

/** A price file that was made. */
export interface PriceFile {
  readonly id: number;
  /** Identifies the file; later than every earlier one of the marketplace. */
  readonly madeAt: Instant;
  readonly count: number;
}

/** Files older than this are deleted: they are no longer marked as uploaded. */
const KEEP_DAYS = 30;

/** The listings of a marketplace whose price is waiting for its upload, by ID. */
export async function readToUpload(db: Db, marketplace: Marketplace): Promise<number[]> {
  const { rows } = await db.execute<{ ids: number[] | null }>(sql`
    SELECT json_agg(id ORDER BY id) AS ids FROM listings
    WHERE marketplace = ${marketplace} AND awaiting_upload_since IS NOT NULL AND deleted_at IS NULL`);
  return rows[0]?.ids ?? [];
}

/**
 * Records which prices of a marketplace are waiting for their upload now. Needs a transaction.
 * @param excluded listings whose price must not be in the file
 */
export async function makePriceFile(
  tx: Db,
  marketplace: Marketplace,
  excluded: readonly number[],
  madeBy: string,
  now: Instant,
): Promise<PriceFile> {
  // One after the other, so that each gets a timestamp of its own.
  await tx.execute(sql`LOCK TABLE price_files IN SHARE ROW EXCLUSIVE MODE`);
  const at = isoTime(now);
  await tx.execute(sql`
    DELETE FROM price_files WHERE made_at < ${at}::timestamptz - make_interval(days => ${KEEP_DAYS})`);
  const { rows } = await tx.execute<{ id: string; madeAt: string; count: number }>(sql`
    INSERT INTO price_files (marketplace, made_at, made_by, listing_ids, price_ids)
    SELECT ${marketplace}::text,
      greatest(${at}::timestamptz, (SELECT max(made_at) + interval '1 millisecond' FROM price_files
        WHERE marketplace = ${marketplace})),
      ${madeBy}::text, coalesce(array_agg(id ORDER BY id), '{}'), coalesce(array_agg(current_price_id ORDER BY id), '{}')
    FROM listings WHERE marketplace = ${marketplace} AND awaiting_upload_since IS NOT NULL AND deleted_at IS NULL
      AND id NOT IN (SELECT unnest(${sql.param(excluded)}::bigint[]))
    RETURNING id, made_at AS "madeAt", cardinality(listing_ids) AS count`);
  const [row] = rows;
  if (row === undefined) throw new Error('An insert answered no row.');
  return { id: Number(row.id), madeAt: instant(new Date(row.madeAt).getTime()), count: row.count };
}

/** One price to upload. */
export interface PriceFileRow extends Record<string, unknown> {
  readonly sku: string;
  readonly marketplaceItemId: string | null;
  readonly price: Cents;
}

/**
 * A range of rows of a file, in its order.
 * @param from number of the first one, from 1
 */
export async function readPriceFileRows(
  db: Db,
  fileId: number,
  from: number,
  count: number,
): Promise<PriceFileRow[]> {
  const { rows } = await db.execute<PriceFileRow>(sql`
    SELECT l.sku, l.marketplace_item_id AS "marketplaceItemId", ${cents('h.new_price')} AS price
    FROM price_files f
    CROSS JOIN LATERAL unnest(
      f.listing_ids[${from}:${from + count - 1}], f.price_ids[${from}:${from + count - 1}]
    ) WITH ORDINALITY AS part (listing_id, price_id, place)
    JOIN price_history h ON h.listing_id = part.listing_id AND h.id = part.price_id
    JOIN listings l ON l.id = part.listing_id
    WHERE f.id = ${fileId} ORDER BY part.place`);
  return rows;
}

/**
 * Clears the marks of the listings whose current price is the one in a file.
 * @returns the listings; null when no file was made at that time
 */
export async function clearUploaded(
  tx: Db,
  marketplace: Marketplace,
  madeAt: Instant,
  now: Instant,
): Promise<number[] | null> {
  const at = isoTime(madeAt);
  const { rows: files } = await tx.execute<{ id: string }>(sql`
    SELECT id FROM price_files WHERE marketplace = ${marketplace} AND made_at = ${at}::timestamptz`);
  const [file] = files;
  if (file === undefined) return null;
  const { rows } = await tx.execute<{ id: string }>(sql`
    WITH uploaded AS (
      SELECT l.id FROM price_files f
      CROSS JOIN LATERAL unnest(f.listing_ids, f.price_ids) AS part (listing_id, price_id)
      JOIN listings l ON l.id = part.listing_id AND l.current_price_id = part.price_id
      WHERE f.id = ${file.id}::bigint AND l.awaiting_upload_since IS NOT NULL
      ORDER BY l.id FOR NO KEY UPDATE OF l)
    UPDATE listings l SET awaiting_upload_since = NULL, updated_at = ${timestamptz(now)}
    FROM uploaded WHERE l.id = uploaded.id RETURNING l.id`);
  return rows.map(({ id }) => Number(id));
}

/** How many prices of a marketplace are waiting for their upload. */
export async function countToUpload(db: Db, marketplace: Marketplace): Promise<number> {
  const { rows } = await db.execute<{ count: number }>(sql`
    SELECT count(*)::int AS count FROM listings
    WHERE marketplace = ${marketplace} AND awaiting_upload_since IS NOT NULL AND deleted_at IS NULL`);
  return rows[0]?.count ?? 0;
}
