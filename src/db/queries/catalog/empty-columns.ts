import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import type { SparseColumn } from '#domain/written/listing-column-ids.ts';
import { FEW_ROWS } from './listing-page-ids.ts';

const KEY_COLUMNS = {
  amazonWalmart: 'amazon_walmart_price',
  thirdPartyFbaWfs: 'third_party_fba_wfs_price',
  thirdPartyFbm: 'third_party_fbm_price',
  totalCost: 'total_cost',
} as const satisfies Record<SparseColumn, string>;

const NAMES = Object.keys(KEY_COLUMNS) as SparseColumn[];

/**
 * The columns without one value in all listings of a condition over `listing_keys k`. Few rows are read once; of many, the
 * first row with a value ends the search.
 */
export async function readEmptyColumns(db: Db, condition: SQL, total: number): Promise<SparseColumn[]> {
  if (total === 0) return [];
  const column = (name: SparseColumn): SQL => sql.raw(`k.${KEY_COLUMNS[name]}`);
  const filled = (name: SparseColumn): SQL =>
    total <= FEW_ROWS
      ? sql`coalesce(bool_or(${column(name)} IS NOT NULL), false)`
      : sql`EXISTS (SELECT FROM listing_keys k WHERE ${condition} AND ${column(name)} IS NOT NULL)`;
  const parts = NAMES.map((name) => sql`${filled(name)} AS ${sql.identifier(name)}`);
  const from = total <= FEW_ROWS ? sql`FROM listing_keys k WHERE ${condition}` : sql``;
  const { rows } = await db.execute<Record<SparseColumn, boolean>>(
    sql`SELECT ${sql.join(parts, sql`, `)} ${from}`,
  );
  const [found] = rows;
  return NAMES.filter((name) => found?.[name] === false);
}
