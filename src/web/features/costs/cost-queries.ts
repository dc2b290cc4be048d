import { keepPreviousData, queryOptions, useQueryClient } from '@tanstack/react-query';
import { CostsPage } from '#contract/cost-list.ts';
import type { ListingCosts, SavedCosts } from '#contract/costs.ts';
import { call } from '#web/lib/api.ts';
import { queryText } from '#web/lib/list-state.ts';

const LIST_KEY = ['costs', 'list'] as const;
/** Milliseconds; a change of one SKU is decided well within. */
const DECIDED_AFTER = 2_000;

/** One page of the cost parts of listings. */
export const costsQuery = (q: string, page: number, size: number) =>
  queryOptions({
    queryKey: [...LIST_KEY, { q, page, size }] as const,
    queryFn: () => {
      const params = { ...(q === '' ? {} : { q }), page: String(page), size: String(size) };
      return call(CostsPage, 'GET', `/api/costs${queryText(params)}`);
    },
    placeholderData: keepPreviousData,
  });

/** Puts saved costs into the pages of the list that are held, and brings the other listings of the SKU up to date. */
export function useNoteSavedCosts(): (saved: SavedCosts) => void {
  const client = useQueryClient();
  return ({ costs }) => {
    client.setQueriesData<CostsPage>({ queryKey: LIST_KEY }, (page) => page && withCosts(page, costs));
    // Other listings of the SKU follow once the engine has decided them.
    setTimeout(() => void client.invalidateQueries({ queryKey: LIST_KEY }), DECIDED_AFTER);
  };
}

function withCosts(page: CostsPage, { listingId, parts, totalCost }: ListingCosts): CostsPage {
  const amounts = Object.fromEntries(parts.map(({ part, amount }) => [`${part}Cost`, amount]));
  const rows = page.rows.map((row) =>
    row.listingId === listingId ? { ...row, ...amounts, totalCost } : row,
  );
  return { ...page, rows };
}
