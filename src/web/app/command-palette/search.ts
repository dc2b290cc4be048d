import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { SearchAnswer } from '#contract/search.ts';
import { call } from '#web/lib/api.ts';
import { queryText } from '#web/lib/list-state.ts';

/** Listings and SKUs that contain this text; earlier results stay until new ones arrive. Not sent for an empty text. */
export const searchQuery = (text: string) =>
  queryOptions({
    queryKey: ['search', text] as const,
    queryFn: () => call(SearchAnswer, 'GET', `/api/search${queryText({ q: text })}`),
    enabled: text !== '',
    placeholderData: keepPreviousData,
    // Not cached: names and prices change.
    staleTime: 0,
    gcTime: 30_000,
  });

/** Results of an earlier text that also contain this one: shown until the new ones arrive. */
export function narrowed({ listings, skus }: SearchAnswer, text: string): SearchAnswer {
  const wanted = text.toLowerCase();
  const has = (...texts: string[]): boolean => texts.some((each) => each.toLowerCase().includes(wanted));
  const keep = <Row>(rows: Row[]) => ({ rows, total: rows.length, isTotalExact: true });
  return {
    listings: keep(listings.rows.filter(({ sku, title }) => has(sku, title))),
    skus: keep(skus.rows.filter(({ sku, name }) => has(sku, name))),
  };
}
