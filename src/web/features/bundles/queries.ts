import {
  keepPreviousData,
  type QueryClient,
  queryOptions,
  type UseMutationResult,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import {
  BUNDLE_PAGE_SIZE,
  BUNDLE_PAGE_SIZES,
  BUNDLE_STATES,
  type BundleComponent,
  BundleComponents,
  BundlePreview,
  BundlesPage,
  ConfirmedSingle,
  RemovedBundle,
} from '#contract/bundles.ts';
import { ListingsPage } from '#contract/listings.ts';
import { SkusPage } from '#contract/skus.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import { call } from '#web/lib/api.ts';
import { filterParams, type ListSpec, type ListState, queryText } from '#web/lib/list-state.ts';
import { markOld } from '#web/lib/live-changes.ts';
import { callWithStepUp } from '#web/lib/step-up.ts';
import type { ComboboxSource } from '#web/ui/combobox.tsx';
import type { Draft, SkuOption } from './draft.ts';

const BUNDLES = 'bundles';
/** Maximum number of options in a picker. */
const OPTIONS = 50;
/** Number of listings loaded for them: one SKU may be on several marketplaces. */
const LISTINGS = 100;

const bundlePath = (listingSku: string): string => `/api/bundles/${encodeURIComponent(listingSku)}`;
const rowsOf = (draft: Draft): { componentSkuId: string; quantity: number }[] =>
  draft.map(({ id, quantity }) => ({ componentSkuId: id, quantity }));

/** The components of a listing SKU. */
export const storedQuery = (listingSku: string) =>
  queryOptions({
    queryKey: [BUNDLES, 'stored', listingSku],
    queryFn: () => call(BundleComponents, 'GET', bundlePath(listingSku)),
  });

/** The effect of a draft on the listings of its SKU; nothing is saved. */
export const previewQuery = (listingSku: string, draft: Draft) =>
  queryOptions({
    queryKey: [BUNDLES, 'preview', listingSku, rowsOf(draft)],
    queryFn: () =>
      call(BundlePreview, 'POST', '/api/bundles/preview', { listingSku, components: rowsOf(draft) }),
    // Previous data is not kept: it would belong to another listing.
    placeholderData: (before, query) => (query?.queryKey[2] === listingSku ? before : undefined),
  });

/** Address parameters of the list of bundles; sorted by listing SKU only. */
export const BUNDLE_LIST: ListSpec<'state', never> = {
  filters: { state: BUNDLE_STATES },
  sorts: [],
  sort: '',
  sizes: BUNDLE_PAGE_SIZES,
  size: BUNDLE_PAGE_SIZE,
};

/** All bundles, one page at a time. */
export const listQuery = (state: ListState<'state', never>) => {
  const text = queryText({
    ...filterParams(state),
    page: String(state.page),
    size: String(state.size),
  });
  return queryOptions({
    queryKey: [BUNDLES, 'list', text],
    queryFn: () => call(BundlesPage, 'GET', `/api/bundles${text}`),
    placeholderData: keepPreviousData,
  });
};

/** Address of the export of the listed bundles, all pages. */
export function exportAddress(state: ListState<'state', never>): string {
  return `/api/bundles/export.csv${queryText(filterParams(state))}`;
}

/** A listing SKU with its title and marketplaces. */
export interface ListingOption {
  readonly sku: string;
  readonly title: string;
  readonly marketplaces: readonly Marketplace[];
}

/** Listing SKUs by part of SKU or title; the listings of one SKU on several marketplaces are one option. */
export const LISTING_OPTIONS: ComboboxSource<ListingOption> = {
  queryKey: [BUNDLES, 'listing options'],
  find: async (text) => {
    const search = queryText({ q: text === '' ? undefined : text, size: String(LISTINGS) });
    const { rows, total } = await call(ListingsPage, 'GET', `/api/listings${search}`);
    const bySku = new Map<string, ListingOption>();
    for (const { sku, title, marketplace } of rows) {
      const known = bySku.get(sku);
      bySku.set(sku, {
        sku,
        title: known?.title ?? title,
        marketplaces: [...(known?.marketplaces ?? []), marketplace],
      });
    }
    const options = [...bySku.values()];
    return { options: options.slice(0, OPTIONS), hasMore: total > rows.length || options.length > OPTIONS };
  },
};

/** SKUs by part of SKU or name. */
export const SKU_OPTIONS: ComboboxSource<SkuOption> = {
  queryKey: [BUNDLES, 'sku options'],
  find: async (text) => {
    const search = queryText({ page: '1', pageSize: String(OPTIONS), q: text === '' ? undefined : text });
    const { skus, total } = await call(SkusPage, 'GET', `/api/skus${search}`);
    return { options: skus, hasMore: total > skus.length };
  },
};

/** A save of one bundle. `seen` are the stored components that the edit started from. */
export interface BundleSave {
  readonly listingSku: string;
  readonly draft: Draft;
  readonly seen: readonly BundleComponent[];
  /** An Undo: restores the bundle, including a SKU deleted afterwards. */
  readonly restores?: boolean;
}

/** Replaces one bundle. A failed save leaves the stored one unchanged. */
export async function saveBundle(
  client: QueryClient,
  { listingSku, draft, seen, restores = false }: BundleSave,
): Promise<BundleComponent[]> {
  const latest = Math.max(0, ...seen.map(({ id }) => Number(id)));
  const rows = rowsOf(draft).map((row) => ({ listingSku, ...row }));
  const stored = await callWithStepUp(
    BundleComponents,
    'POST',
    `/api/bundles/bulk?seen=${latest}${restores ? '&restores=true' : ''}`,
    rows,
  );
  await settle(client, listingSku, stored);
  return stored;
}

export function useSaveBundle(): UseMutationResult<BundleComponent[], Error, BundleSave> {
  const client = useQueryClient();
  return useMutation({ mutationFn: (save) => saveBundle(client, save) });
}

/** Removes a bundle; the costs of its listings are unknown until a user confirms what they are. */
export function useRemoveBundle(): UseMutationResult<RemovedBundle, Error, string> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (listingSku) => call(RemovedBundle, 'DELETE', bundlePath(listingSku)),
    onSuccess: (_, listingSku) => settle(client, listingSku, []),
  });
}

/** Confirms that a listing SKU is no longer a bundle. */
export function useConfirmSingle(): UseMutationResult<{ confirmed: number }, Error, string> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (listingSku) =>
      callWithStepUp(ConfirmedSingle, 'POST', '/api/bundles/confirm-single', { listingSkus: [listingSku] }),
    onSuccess: (_, listingSku) => settle(client, listingSku, []),
  });
}

/** Loads what bundles a file has changed. */
export async function reloadBundles(client: QueryClient): Promise<void> {
  await client.invalidateQueries({ queryKey: [BUNDLES] });
  await markOld(client, BUNDLES);
}

/** Shows the response at once and reloads everything that depends on it. */
async function settle(client: QueryClient, listingSku: string, stored: BundleComponent[]): Promise<void> {
  const { queryKey } = storedQuery(listingSku);
  client.setQueryData(queryKey, stored);
  // Not awaited: the figures update when loaded.
  for (const part of ['preview', 'list']) void client.invalidateQueries({ queryKey: [BUNDLES, part] });
  await markOld(client, BUNDLES);
}
