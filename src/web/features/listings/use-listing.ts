import { useQuery } from '@tanstack/react-query';
import { ListingRow } from '#contract/listings.ts';
import { call } from '#web/lib/api.ts';
import { LISTING_PANEL_KEY } from '#web/lib/live-refresh.ts';

/**
 * A listing by its id: from the visible rows, or loaded if it is on another page or from a link.
 * @param id null for none
 * @param rows of the visible page; undefined while loading
 */
export function useListing(
  id: string | null,
  rows: readonly ListingRow[] | undefined,
): { readonly row: ListingRow | undefined; readonly isError: boolean } {
  const inView = rows?.find((row) => row.id === id);
  const requested = useQuery({
    queryKey: [...LISTING_PANEL_KEY, id, 'listing'],
    queryFn: () => call(ListingRow, 'GET', `/api/listings/${id}`),
    enabled: id !== null && rows !== undefined && inView === undefined,
  });
  return { row: inView ?? requested.data, isError: inView === undefined && requested.isError };
}
