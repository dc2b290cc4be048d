import { sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import type { Instant } from '#domain/units.ts';
import { type ListingFilter, listingCondition } from './listing-filter.ts';

/** Some listings by ID, or everything a filter shows with their number when the user selected it. */
export type ListingSelection =
  | { readonly ids: readonly string[] }
  | { readonly filter: ListingFilter; readonly expected: number };

export interface SelectedListings {
  /** Ascending, each once, without deleted and unknown listings. */
  readonly ids: number[];
  /** False when a filter now shows another number of listings than the user saw: reject with the current number. */
  readonly isAsShown: boolean;
}

/** The listings of a selection now: eight bytes for each, for any number. */
export async function readSelection(
  db: Db,
  selection: ListingSelection,
  now: Instant,
): Promise<SelectedListings> {
  const condition =
    'ids' in selection
      ? sql`k.is_live AND k.listing_id = ANY(${sql.param(selection.ids)}::bigint[])`
      : listingCondition(selection.filter, now);
  // As one JSON text: a row object for each of a million IDs would take a hundred times the memory.
  const { rows } = await db.execute<{ ids: number[] | null }>(
    sql`SELECT json_agg(listing_id ORDER BY listing_id) AS ids FROM listing_keys k WHERE ${condition}`,
  );
  const ids = rows[0]?.ids ?? [];
  return { ids, isAsShown: 'ids' in selection || ids.length === selection.expected };
}
