import { useCallback, useState } from 'react';
import type { ListingsPage } from '#contract/listings.ts';
import { useUrlParams } from '#web/lib/url-params.ts';
import { AMOUNT_FIELDS, type AmountField } from './fields-form.ts';
import { type ListingsState, listingFilter } from './listing-list.ts';
import type { ListingDialog } from './listings-screen.ts';

/**
 * The dialog in view, and how to show another one. An address can ask for one, so that other screens can lead to it:
 * `costs=42` for the costs of a listing, `set=fulfillmentCost` for that field of everything its filter shows. Closing
 * forgets it.
 */
export function useListingDialog(
  state: ListingsState,
  page: ListingsPage | undefined,
): [ListingDialog | null, (dialog: ListingDialog | null) => void] {
  const [dialog, setDialog] = useState<ListingDialog | null>(null);
  const { params, set: setParams } = useUrlParams();
  const { set, costs } = params;
  const isAsked = set !== undefined || costs !== undefined;
  const show = useCallback(
    (next: ListingDialog | null): void => {
      const isCosts = next?.kind === 'costs';
      setDialog(isCosts ? null : next);
      if (isCosts) setParams({ costs: next.listingId });
      else if (isAsked) setParams({ set: undefined, costs: undefined }, true);
    },
    [isAsked, setParams],
  );
  return [dialog ?? costsOf(costs) ?? askedFor(set, state, page), show];
}

function costsOf(listingId: string | undefined): ListingDialog | null {
  return listingId !== undefined && /^[1-9]\d{0,14}$/.test(listingId) ? { kind: 'costs', listingId } : null;
}

function askedFor(
  set: string | undefined,
  state: ListingsState,
  page: ListingsPage | undefined,
): ListingDialog | null {
  const filter = listingFilter(state);
  // Never of the whole catalogue by a link, and never of a number of listings nobody knows.
  if (page === undefined || !page.isTotalExact || page.total === 0 || Object.keys(filter).length === 0)
    return null;
  const ticked = AMOUNTS.find((name) => name === set);
  const target = { selection: { filter, expected: page.total }, count: page.total, row: null };
  return ticked === undefined ? null : { kind: 'fields', target, ticked };
}

const AMOUNTS = Object.keys(AMOUNT_FIELDS) as AmountField[];
