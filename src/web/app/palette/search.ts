import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { SearchAnswer } from '#contract/search.ts';
import { call } from '#web/lib/api.ts';
import { queryText } from '#web/lib/list-state.ts';

/** Listings and SKUs with this text; the hits before stay until new ones are there. Never asked for nothing. */
export const searchQuery = (text: string) =>
  queryOptions({
    queryKey: ['search', text] as const,
    queryFn: () => call(SearchAnswer, 'GET', `/api/search${queryText({ q: text })}`),
    enabled: text !== '',
    placeholderData: keepPreviousData,
    // Asked anew each time: names and prices move on.
    staleTime: 0,
    gcTime: 30_000,
  });

/** Of hits for an earlier text those that have this one too: what may be shown until the new ones come. */
export function narrowed({ listings, skus }: SearchAnswer, text: string): SearchAnswer {
  const wanted = text.toLowerCase();
  const has = (...texts: string[]): boolean => texts.some((each) => each.toLowerCase().includes(wanted));
  const keep = <Row>(rows: Row[]) => ({ rows, total: rows.length, isTotalExact: true });
  return {
    listings: keep(listings.rows.filter(({ sku, title }) => has(sku, title))),
    skus: keep(skus.rows.filter(({ sku, name }) => has(sku, name))),
  };
}
