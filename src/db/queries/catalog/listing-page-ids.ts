import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { readNumber } from '#db/list-reading.ts';
import type { Instant } from '#domain/units.ts';
import { allSoldIn30Days } from './listing-money.ts';
import {
  isBySales,
  type KeptOrder,
  type ListingOrder,
  orderBy,
  sortColumn,
  stretchesOf,
} from './listing-order.ts';

/** Up to this many, sorting is faster than scanning an index past all other rows. */
export const FEW_ROWS = 5_000;

export interface PageOfIds {
  readonly condition: SQL;
  readonly order: ListingOrder;
  readonly offset: number;
  readonly limit: number;
  /** Number of rows that match the condition; null while only an estimate is known. */
  readonly total: number | null;
  /** The last of the 30 days of an order by sales. */
  readonly now: Instant;
}
type KeptPage = PageOfIds & { readonly order: KeptOrder };

/**
 * The listings of one page, in order.
 * @param few up to this many are sorted instead of scanned
 */
export async function readPageOfIds(db: Db, page: PageOfIds, few = FEW_ROWS): Promise<number[]> {
  const { order } = page;
  if (isBySales(order)) return sortBySales(db, page);
  return readKeptPage(db, { ...page, order }, few);
}

async function readKeptPage(db: Db, page: KeptPage, few: number): Promise<number[]> {
  const { total, offset, limit } = page;
  if (total === null) return readScanned(db, page, false);
  if (offset >= total) return [];
  if (total <= few) return sortFew(db, page);
  const behind = total - offset - limit;
  if (behind >= offset) return readScanned(db, page, false);
  // Nearer to the end: scanned from there, the last page is as fast as the first.
  const rest = Math.min(limit, total - offset);
  const ids = await readScanned(db, { ...page, offset: Math.max(0, behind), limit: rest }, true);
  return ids.reverse();
}

/** No index has the sums of the last days: all that match are sorted. */
async function sortBySales(db: Db, { condition, order, offset, limit, now }: PageOfIds): Promise<number[]> {
  return idsOf(
    db,
    sql`SELECT k.listing_id FROM listing_keys k ${allSoldIn30Days(now)} WHERE ${condition}
      ORDER BY ${orderBy(order)} LIMIT ${limit} OFFSET ${offset}`,
  );
}

/** The filter first, then the order: OFFSET 0 keeps the planner from scanning an index in the hope of rare rows. */
async function sortFew(db: Db, { condition, order, offset, limit }: KeptPage): Promise<number[]> {
  return idsOf(
    db,
    sql`SELECT k.listing_id FROM (
        SELECT k.listing_id, ${sortColumn(order)} FROM listing_keys k WHERE ${condition} OFFSET 0
      ) k ORDER BY ${orderBy(order)} LIMIT ${limit} OFFSET ${offset}`,
  );
}

async function readScanned(db: Db, page: KeptPage, isReversed: boolean): Promise<number[]> {
  const found: number[] = [];
  let skip = page.offset;
  for (const stretch of stretchesOf(page.order, isReversed)) {
    const condition = sql`${page.condition} AND ${stretch.condition}`;
    const wanted = page.limit - found.length;
    const ids = await idsOf(
      db,
      sql`SELECT listing_id FROM listing_keys k WHERE ${condition}
        ORDER BY ${stretch.orderBy} LIMIT ${wanted} OFFSET ${skip}`,
    );
    found.push(...ids);
    if (found.length === page.limit) break;
    // A part that returned rows is done; one that returned none may have fewer rows than were to be skipped.
    if (ids.length > 0 || skip === 0) skip = 0;
    else skip -= await readNumber(db, sql`SELECT count(*) AS number FROM listing_keys k WHERE ${condition}`);
  }
  return found;
}

async function idsOf(db: Db, statement: SQL): Promise<number[]> {
  const { rows } = await db.execute<{ listing_id: string }>(statement);
  return rows.map((row) => Number(row.listing_id));
}
