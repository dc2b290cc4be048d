import { useQueryClient } from '@tanstack/react-query';
import type { ListingRow, ListingsPage } from '#contract/listings.ts';
import { markOld, noteOwnChange } from '#web/lib/live-changes.ts';
import { LISTINGS_KEY } from './listing-list.ts';

/** The cached listings, and how to update them. */
export interface ListingCache {
  /** The row as last loaded; undefined if it never was. */
  readonly find: (id: string) => ListingRow | undefined;
  /** Replaces the row with the server's response. Data of other screens is outdated then. */
  readonly saved: (row: ListingRow) => void;
  /** Marks listings as changed from here: no refresh is offered for them. */
  readonly expectNews: (ids: readonly string[]) => void;
  /** Shows a row optimistically. */
  readonly put: (id: string, change: (row: ListingRow) => ListingRow) => void;
  /** Reloads the visible page. */
  readonly reload: () => Promise<void>;
}

/** Reads and updates the cached pages of listings. */
export function useListingCache(): ListingCache {
  const client = useQueryClient();
  const put: ListingCache['put'] = (id, change) => {
    client.setQueriesData<ListingsPage>({ queryKey: LISTINGS_KEY }, (page) =>
      page === undefined
        ? page
        : { ...page, rows: page.rows.map((row) => (row.id === id ? change(row) : row)) },
    );
  };
  return {
    put,
    saved: (row) => {
      put(row.id, () => row);
      noteOwnChange([row.id]);
      void markOld(client, LISTINGS_KEY[0]);
    },
    expectNews: noteOwnChange,
    find: (id) => {
      for (const [, page] of client.getQueriesData<ListingsPage>({ queryKey: LISTINGS_KEY })) {
        const row = page?.rows.find((each) => each.id === id);
        if (row !== undefined) return row;
      }
      return undefined;
    },
    reload: async () => {
      await markOld(client, LISTINGS_KEY[0]);
      await client.invalidateQueries({ queryKey: LISTINGS_KEY });
    },
  };
}
