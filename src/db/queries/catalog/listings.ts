import { sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { readingList } from '#db/list-reading.ts';
import type { Instant } from '#domain/units.ts';
import type { SparseColumn } from '#domain/written/listing-column-ids.ts';
import { readEmptyColumns } from './empty-columns.ts';
import type { ListTotals, Total } from './list-totals.ts';
import type { ListingFilter } from './listing-filter.ts';
import type { ListingOrder } from './listing-order.ts';
import { FEW_ROWS, readPageOfIds } from './listing-page-ids.ts';
import { type ListingRow, readListingRows } from './listing-rows.ts';
import { MAX_HITS, type SearchedConditions, searchedConditions } from './listing-search.ts';

export interface ListingsQuery extends ListingFilter {
  readonly sort: ListingOrder;
  /** From 1. */
  readonly page: number;
  readonly size: number;
}

export type ListingsPage = Total & { readonly rows: ListingRow[]; readonly emptyColumns: SparseColumn[] };

/**
 * One page of the listings: the total first, then the IDs of the page from narrow keys, then the wide rows of only
 * these IDs. A page after the last one is empty.
 */
export async function readListings(
  db: Db,
  totals: ListTotals,
  { sort, page, size, ...filter }: ListingsQuery,
  now: Instant,
): Promise<ListingsPage> {
  return readingList(db, async (snapshot) => {
    const condition = await searchedConditions(snapshot, filter, now);
    const total = await readTotal(snapshot, totals, filter, condition, now);
    const isFew = total.total <= FEW_ROWS;
    const ids = await readPageOfIds(snapshot, {
      condition: isFew ? condition.count : condition.page,
      order: sort,
      offset: (page - 1) * size,
      limit: size,
      total: total.isTotalExact ? total.total : null,
      now,
    });
    const emptyColumns = await readEmptyColumns(
      snapshot,
      isFew ? condition.count : condition.page,
      total.total,
    );
    return { rows: await readListingRows(snapshot, ids, now), ...total, emptyColumns };
  });
}

/** The number of listings of a filter, without reading them. */
export async function readListingsTotal(
  db: Db,
  totals: ListTotals,
  filter: ListingFilter,
  now: Instant,
): Promise<Total> {
  return readingList(db, async (snapshot) =>
    readTotal(snapshot, totals, filter, await searchedConditions(snapshot, filter, now), now),
  );
}

async function readTotal(
  snapshot: Db,
  totals: ListTotals,
  filter: ListingFilter,
  { count, total }: SearchedConditions,
  now: Instant,
): Promise<Total> {
  if (total !== null) return { total, isTotalExact: true };
  const key = JSON.stringify(['listings', filter]);
  const from = sql`FROM listing_keys k WHERE ${count}`;
  // Searching every title takes longer than counting.
  return totals.read(snapshot, { key, from, ...(filter.q && { most: MAX_HITS }) }, now);
}
