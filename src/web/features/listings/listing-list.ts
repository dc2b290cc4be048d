import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { LabelField } from '#contract/labels.ts';
import { LISTING_VIEWS, type ListingViewId, ListingViewTotals } from '#contract/listing-views.ts';
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
import { MARGIN_FILTERS } from '#domain/costs/margin-bands.ts';
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
import { VIEW_TOTALS_KEY } from '#web/lib/live-refresh.ts';
import { NO_LAYOUT, type TableLayout } from '#web/ui/table/table-layout.ts';
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

/** Losses need other figures than competitors' prices; with these all columns still fit at 1,440 px. */
const OF_LOSSES: TableLayout = {
  ...NO_LAYOUT,
  hidden: ['amazonWalmart', 'thirdPartyFbaWfs', 'thirdPartyFbm', 'fulfillment'],
  shown: ['profit', 'units30', 'profit30'],
};

const VIEW_NAMES: Record<ListingViewId, Omit<BuiltInView, 'id' | 'query'>> = {
  '': { name: 'All listings' },
  attention: { name: 'Needs attention', asksForWork: true },
  losing: { name: 'Losing money', asksForWork: true, layout: OF_LOSSES },
  review: { name: 'Needs review' },
};

/** The predefined views of Listings, the one without filters first. */
export const LISTING_TABS: readonly BuiltInView[] = LISTING_VIEWS.map(({ id, query }) => ({
  id,
  query,
  ...VIEW_NAMES[id],
}));

/** How many listings each view has; live events keep the numbers current. */
export const viewTotalsQuery = queryOptions({
  queryKey: VIEW_TOTALS_KEY,
  queryFn: async () => {
    const { totals } = await call(ListingViewTotals, 'GET', '/api/listings/view-totals');
    return new Map(totals.map(({ view, ...total }) => [view, total]));
  },
});

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
