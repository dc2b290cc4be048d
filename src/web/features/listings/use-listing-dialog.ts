import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useState } from 'react';
import type { ListingsPage } from '#contract/listings.ts';
import { AMOUNT_FIELDS, type AmountField } from './fields-form.ts';
import { type ListingsState, listingFilter } from './listing-list.ts';
import type { ListingDialog } from './listings-screen.ts';

/**
 * The dialog in view, and how to show another one. An address with `set=fulfillmentCost` asks for that field of
 * everything its filter shows, so that other screens can lead to it; closing forgets it.
 */
export function useListingDialog(
  state: ListingsState,
  page: ListingsPage | undefined,
): [ListingDialog | null, (dialog: ListingDialog | null) => void] {
  const [dialog, setDialog] = useState<ListingDialog | null>(null);
  const { set }: { set?: string } = useSearch({ strict: false });
  const navigate = useNavigate();
  const show = useCallback(
    (next: ListingDialog | null): void => {
      setDialog(next);
      if (set === undefined) return;
      void navigate({
        to: '.',
        search: ({ set: _, ...search }: Record<string, unknown>) => search,
        replace: true,
        resetScroll: false,
      });
    },
    [set, navigate],
  );
  return [dialog ?? askedFor(set, state, page), show];
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
