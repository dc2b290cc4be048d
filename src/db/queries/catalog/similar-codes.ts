import { sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { looseCodeOf } from '#db/loose-code.ts';
import { looseCode } from '#domain/written/loose-code.ts';

/** Stored codes that are similar to one of `codes`: see `looseCode`. */
async function codesOf(db: Db, table: 'skus' | 'listings', codes: readonly string[]): Promise<string[]> {
  const loose = [...new Set(codes.map(looseCode))];
  if (loose.length === 0) return [];
  const { rows } = await db.execute<{ sku: string }>(sql`
    SELECT DISTINCT sku FROM ${table === 'skus' ? sql`skus` : sql`listings`}
    WHERE deleted_at IS NULL AND ${looseCodeOf(sql`sku`)} = ANY(${sql.param(loose)}::text[]) ORDER BY sku`);
  return rows.map(({ sku }) => sku);
}

/** Live SKUs whose codes are among `codes`, or differ only in case, spaces or an apostrophe. */
export function findSimilarSkus(db: Db, codes: readonly string[]): Promise<string[]> {
  return codesOf(db, 'skus', codes);
}

/** Like {@link findSimilarSkus}, for the SKUs of live listings on any marketplace. */
export function findSimilarListings(db: Db, codes: readonly string[]): Promise<string[]> {
  return codesOf(db, 'listings', codes);
}
