import { useQuery } from '@tanstack/react-query';
import { ListingRow } from '#contract/listings.ts';
import { call } from '#web/lib/api.ts';
import { LISTING_PANEL_KEY } from '#web/lib/live-refresh.ts';

/**
 * A listing by its id: the row in view, or asked for when it is one of another page or of a link.
 * @param id null for none
 * @param rows of the page in view; undefined while they are not there
 */
export function useListing(
  id: string | null,
  rows: readonly ListingRow[] | undefined,
): { readonly row: ListingRow | undefined; readonly isError: boolean } {
  const inView = rows?.find((row) => row.id === id);
  const asked = useQuery({
    queryKey: [...LISTING_PANEL_KEY, id, 'listing'],
    queryFn: () => call(ListingRow, 'GET', `/api/listings/${id}`),
    enabled: id !== null && rows !== undefined && inView === undefined,
  });
  return { row: inView ?? asked.data, isError: inView === undefined && asked.isError };
}
