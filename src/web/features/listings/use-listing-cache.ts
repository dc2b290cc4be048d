import { useQueryClient } from '@tanstack/react-query';
import type { ListingRow, ListingsPage } from '#contract/listings.ts';
import { markOld, noteOwnChange } from '#web/lib/live-changes.ts';
import { LISTINGS_KEY } from './listing-list.ts';

/** The listings this browser has loaded, and how to bring them up to date. */
export interface ListingCache {
  /** The row as last seen; undefined when it never was. */
  readonly find: (id: string) => ListingRow | undefined;
  /** Puts what the server answered in the place of the row. What other screens hold is old then. */
  readonly saved: (row: ListingRow) => void;
  /** These were changed from here: nobody needs to be told that they did. */
  readonly expectNews: (ids: readonly string[]) => void;
  /** Shows what is about to be in the place of the row. */
  readonly put: (id: string, change: (row: ListingRow) => ListingRow) => void;
  /** Loads the page in view again. */
  readonly reload: () => Promise<void>;
}

/** Reads and changes the pages of listings that are held. */
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
