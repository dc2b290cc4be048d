import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import {
  HISTORY_PAGE_SIZES,
  HISTORY_SOURCE_FILTERS,
  type HistoryEntry,
  HistoryPage,
} from '#contract/history.ts';
import { PricedListing } from '#contract/price-actions.ts';
import { MARKETPLACES } from '#domain/marketplaces.ts';
import { call } from '#web/lib/api.ts';
import { filterParams, type ListSpec, type ListState, queryText } from '#web/lib/list-state.ts';
import { readersZone } from '#web/lib/moments.ts';
import { priceCall } from '#web/lib/price-calls.ts';
import type { BuiltInView } from '#web/ui/table/views/use-saved-views.ts';

export type HistoryFilterName =
  | 'marketplace'
  | 'source'
  | 'changedBy'
  | 'days'
  | 'from'
  | 'to'
  | 'listing'
  | 'run';

/** "2026-11-21"; days that do not exist are rejected by the server. */
const DAY_TEXT = /^20\d\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/;

/** Address parameters of the history. Sorted newest first only. */
export const HISTORY_LIST: ListSpec<HistoryFilterName, never> = {
  filters: {
    marketplace: MARKETPLACES,
    source: HISTORY_SOURCE_FILTERS,
    changedBy: /^.{1,200}$/,
    days: /^[1-9]\d{0,3}$/,
    from: DAY_TEXT,
    to: DAY_TEXT,
    listing: /^[1-9]\d{0,14}$/,
    run: /^[1-9]\d{0,14}$/,
  },
  sorts: [],
  sort: '',
  sizes: HISTORY_PAGE_SIZES,
  size: 50,
};

/** The predefined views of the history, the one without filters first. */
export const HISTORY_VIEWS: readonly BuiltInView[] = [{ id: '', name: 'All price changes', query: {} }];

export type HistoryState = ListState<HistoryFilterName, never>;

const HISTORY_KEY = ['history'] as const;

export const historyQuery = (state: HistoryState) => {
  const text = queryText({
    ...serverParams(state),
    page: String(state.page),
    size: String(state.size),
  });
  return queryOptions({
    queryKey: [...HISTORY_KEY, text],
    queryFn: () => call(HistoryPage, 'GET', `/api/history${text}`),
    placeholderData: keepPreviousData,
  });
};

/** Search and filters in the API's form: days start at local midnight. */
export function serverParams(state: HistoryState): Record<string, string> {
  const params = filterParams(state);
  const hasDays = params.from !== undefined || params.to !== undefined;
  return hasDays ? { ...params, zone: readersZone() } : params;
}

/** All rows that match the filter, as a file. */
export function exportAddress(state: HistoryState): string {
  return `/api/history/export.csv${queryText(serverParams(state))}`;
}

/** Reverts a price to the one before an entry, as a new and checked change. */
export function useRevertPrice() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ listingId, id, currentPrice }: HistoryEntry) =>
      priceCall(PricedListing, 'POST', `/api/history/${listingId}/${id}/revert`, { from: currentPrice }),
    // Also after an error, which may report a newer price in force.
    onSettled: () => client.invalidateQueries({ queryKey: HISTORY_KEY }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['listings'] }),
  });
}
