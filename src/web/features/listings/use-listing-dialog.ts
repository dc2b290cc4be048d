import { useRouter } from '@tanstack/react-router';
import { useCallback, useEffect, useState } from 'react';
import type { ListingsPage } from '#contract/listings.ts';
import { useAddressedDialog } from '#web/lib/addressed-dialog.ts';
import { useUrlParams } from '#web/lib/url-params.ts';
import { toast } from '#web/lib/use-toast.ts';
import { AMOUNT_FIELDS, type AmountField } from './fields-form.ts';
import { type ListingsState, listingFilter } from './listing-list.ts';
import { type ActionTarget, type ListingDialog, onlyThis } from './listings-screen.ts';
import { useListing } from './use-listing.ts';

/**
 * The open dialog, and how to open another one. These are in the address, for Back and for links:
 * `costs=42` and `limits=42` for a listing, `set=selected` for the fields of the selection, `set=all` for those of
 * all that match the filter, `set=fulfillmentCost` for that field of them. Closing removes the parameter.
 */
export function useListingDialog(
  state: ListingsState,
  page: ListingsPage | undefined,
  selection: ActionTarget,
): [ListingDialog | null, (dialog: ListingDialog | null) => void] {
  const [dialog, setDialog] = useState<ListingDialog | null>(null);
  const { params, set: setParams } = useUrlParams();
  const fields = useAddressedDialog(
    'set',
    (value) => {
      const target = targetOf(value, state, page, selection);
      if (target === null || typeof target === 'string') return target === null ? null : undefined;
      const ticked = AMOUNTS.find((name) => name === value);
      return { kind: 'fields', target, ...(ticked === undefined ? {} : { ticked }) } as const;
    },
    (value) => toast('Could not open Set fields', String(targetOf(value, state, page, selection))),
  );
  const limits = useLimits(page);
  const { isLeaving, leave } = useLeave();
  const isRequested = ADDRESSED.some((name) => params[name] !== undefined);
  const show = useCallback(
    (next: ListingDialog | null): void => {
      const address = next === null ? null : addressOf(next);
      setDialog(address === null ? next : null);
      if (address !== null) setParams(address);
      else if (isRequested) leave();
    },
    [isRequested, setParams, leave],
  );
  const addressed = costsOf(params.costs) ?? limits ?? fields.about;
  return [dialog ?? (isLeaving ? null : addressed), show];
}

const AMOUNTS = Object.keys(AMOUNT_FIELDS) as AmountField[];
const ADDRESSED = ['costs', 'limits', 'set'] as const;
const NOTHING = { costs: undefined, limits: undefined, set: undefined };

function addressOf(dialog: ListingDialog): Readonly<Record<string, string>> | null {
  if (dialog.kind === 'costs') return { costs: dialog.listingId };
  if (dialog.kind !== 'fields') return null;
  const { row, selection } = dialog.target;
  if (row !== null) return { limits: row.id };
  return { set: 'ids' in selection ? 'selected' : 'all' };
}

function costsOf(listingId: string | undefined): ListingDialog | null {
  return isId(listingId) ? { kind: 'costs', listingId } : null;
}

const isId = (text: string | undefined): text is string => /^[1-9]\d{0,14}$/.test(text ?? '');

/** The target of `set` in the address: null while the list is loading, a sentence if there is none. */
function targetOf(
  value: string,
  state: ListingsState,
  page: ListingsPage | undefined,
  selection: ActionTarget,
): ActionTarget | string | null {
  const isByName = 'ids' in selection.selection;
  if (value === 'selected') return isByName && selection.count > 0 ? selection : NO_SELECTION;
  if (value === 'all' && !isByName) return selection;
  if (value !== 'all' && !AMOUNTS.some((name) => name === value)) return UNKNOWN;
  const filter = listingFilter(state);
  // A link must not target the whole catalog, nor an unknown number of listings.
  if (Object.keys(filter).length === 0) return UNFILTERED;
  if (page === undefined) return null;
  if (page.total === 0) return 'No listings match the filter.';
  if (!page.isTotalExact) return UNFILTERED;
  return { selection: { filter, expected: page.total }, count: page.total, row: null };
}

const NO_SELECTION =
  'A link does not keep the selection. Select the listings, then choose Set limits or rule.';
const UNKNOWN = 'The link has no valid listing field.';
const UNFILTERED =
  'A link can set fields only for filtered listings. Filter the list or select listings, then choose Set limits or rule.';

/** The limits of one listing, also on another page. */
function useLimits(page: ListingsPage | undefined): ListingDialog | null {
  const { params } = useUrlParams();
  const requested = isId(params.limits) ? params.limits : null;
  const { row, isError } = useListing(requested, page?.rows);
  const limits = useAddressedDialog(
    'limits',
    (id) => {
      if (!isId(id) || isError) return undefined;
      return row === undefined ? null : ({ kind: 'fields', target: onlyThis(row) } as const);
    },
    () => toast('Could not open the limits', 'The listing was not found. It may have been deleted.'),
  );
  return limits.about;
}

/**
 * Removes the dialog from the address. The preview is a history entry after the form: its entry must be removed
 * too, or Back would open the form again.
 */
function useLeave(): { isLeaving: boolean; leave: () => void } {
  const { params, set } = useUrlParams();
  const { history } = useRouter();
  const [isLeaving, setLeaving] = useState(false);
  const isInPreview = params.preview !== undefined;
  if (isLeaving && params.set === undefined) setLeaving(false);
  const isAtForm = isLeaving && !isInPreview;
  useEffect(() => {
    if (isAtForm) set(NOTHING, true);
  }, [isAtForm, set]);
  const leave = useCallback((): void => {
    if (!isInPreview) {
      set(NOTHING, true);
      return;
    }
    setLeaving(true);
    history.back();
  }, [isInPreview, set, history]);
  return { isLeaving, leave };
}
