import { LISTING_VIEWS, type ListingViewTotals } from '#contract/listing-views.ts';
import { ListingFilter } from '#contract/listings.ts';
import type { Db } from '#db/client.ts';
import type { ListTotals } from '#db/queries/catalog/list-totals.ts';
import { readListingsTotal } from '#db/queries/catalog/listings.ts';
import { listViews } from '#db/queries/catalog/views.ts';
import type { Instant } from '#domain/units.ts';

/** How many listings each view of Listings has now, for the tabs above the table. */
export async function listingViewTotals(
  db: Db,
  totals: ListTotals,
  userId: string,
  now: Instant,
): Promise<ListingViewTotals['totals']> {
  const saved = await listViews(db, 'listings', userId);
  const views = [...LISTING_VIEWS, ...saved.map(({ id, query }) => ({ id: String(id), query }))];
  const counted: ListingViewTotals['totals'] = [];
  for (const { id, query } of views) {
    const filter = ListingFilter.strip().safeParse(query);
    if (filter.success)
      counted.push({ view: id, ...(await readListingsTotal(db, totals, filter.data, now)) });
  }
  return counted;
}
