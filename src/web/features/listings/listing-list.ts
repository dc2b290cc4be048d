import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { LabelField } from '#contract/labels.ts';
import {
  LISTING_PAGE_SIZE,
  LISTING_PAGE_SIZES,
  LISTING_PROBLEMS,
  LISTING_SORTS,
  LISTING_STATES,
  type ListingFilter,
  type ListingSort,
  ListingsPage,
} from '#contract/listings.ts';
import { MARGIN_FILTERS } from '#domain/margin-bands.ts';
import { FULFILLMENT_TYPES, MARKETPLACES } from '#domain/marketplaces.ts';
import { SOLD_FILTERS } from '#domain/sold-filter.ts';
import { call } from '#web/lib/api.ts';
import { LABEL_SPEC } from '#web/lib/label-text.ts';
import {
  type ChangeList,
  filterParams,
  type ListSpec,
  type ListState,
  queryText,
  writeListState,
} from '#web/lib/list-state.ts';
import type { BuiltInView } from '#web/ui/table/views/use-saved-views.ts';

export type ListingFilterName =
  | 'marketplace'
  | 'fulfillment'
  | 'state'
  | 'problem'
  | 'margin'
  | 'sold'
  | 'rule'
  | LabelField;
export type ListingsState = ListState<ListingFilterName, ListingSort>;
export type ChangeListings = ChangeList<ListingFilterName, ListingSort>;

/** Address parameters of Listings. */
export const LISTINGS_SPEC: ListSpec<ListingFilterName, ListingSort> = {
  filters: {
    marketplace: MARKETPLACES,
    fulfillment: FULFILLMENT_TYPES,
    state: LISTING_STATES,
    problem: LISTING_PROBLEMS,
    margin: MARGIN_FILTERS,
    sold: SOLD_FILTERS,
    rule: /^[1-9]\d{0,14}$/,
    ...LABEL_SPEC,
  },
  sorts: LISTING_SORTS,
  sort: 'sku',
  sizes: LISTING_PAGE_SIZES,
  size: LISTING_PAGE_SIZE,
};

/** The predefined views of Listings, the one without filters first. */
export const LISTING_VIEWS: readonly BuiltInView[] = [
  { id: '', name: 'All listings', query: {} },
  { id: 'attention', name: 'Needs attention', query: { state: 'attention' } },
];

/** Every cached page of the list. */
export const LISTINGS_KEY = ['listings'] as const;

/** One page of the list; the previous page stays until it is loaded. */
export const listingsQuery = (state: ListingsState) => {
  const params = writeListState(state, LISTINGS_SPEC);
  return queryOptions({
    queryKey: [...LISTINGS_KEY, params] as const,
    queryFn: () => call(ListingsPage, 'GET', `/api/listings${queryText(params)}`),
    placeholderData: keepPreviousData,
  });
};

/** Search and filters in the API's form. */
export function listingFilter(state: ListingsState): ListingFilter {
  return filterParams(state);
}
