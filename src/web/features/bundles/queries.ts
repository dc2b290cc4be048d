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
  CheckedBundles,
  ConfirmedSingle,
  RemovedBundle,
  type SaveBundles,
} from '#contract/bundles.ts';
import { ListingsPage } from '#contract/listings.ts';
import { SkusPage } from '#contract/skus.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import { call } from '#web/lib/api.ts';
import { filterParams, type ListSpec, type ListState, queryText } from '#web/lib/list-state.ts';
import { markOld } from '#web/lib/live-changes.ts';
import { callWithStepUp } from '#web/lib/step-up.ts';
import { uploadFile } from '#web/lib/upload.ts';
import type { ComboboxSource } from '#web/ui/combobox.tsx';
import type { Draft, SkuOption } from './draft.ts';

const BUNDLES = 'bundles';
/** So many options at a time in a picker. */
const OPTIONS = 50;
/** Listings that are read for them: one SKU may be on several marketplaces. */
const LISTINGS = 100;

const bundlePath = (listingSku: string): string => `/api/bundles/${encodeURIComponent(listingSku)}`;
const rowsOf = (draft: Draft): { componentSkuId: string; quantity: number }[] =>
  draft.map(({ id, quantity }) => ({ componentSkuId: id, quantity }));

/** What a listing SKU is packed from. */
export const storedQuery = (listingSku: string) =>
  queryOptions({
    queryKey: [BUNDLES, 'stored', listingSku],
    queryFn: () => call(BundleComponents, 'GET', bundlePath(listingSku)),
  });

/** What a draft would mean for the listings of its SKU; none of it is stored. */
export const previewQuery = (listingSku: string, draft: Draft) =>
  queryOptions({
    queryKey: [BUNDLES, 'preview', listingSku, rowsOf(draft)],
    queryFn: () =>
      call(BundlePreview, 'POST', '/api/bundles/preview', { listingSku, components: rowsOf(draft) }),
    // The figures of another listing would be taken for those of this one.
    placeholderData: (before, query) => (query?.queryKey[2] === listingSku ? before : undefined),
  });

/** What the address of the list of bundles may say; by listing SKU is the only order. */
export const BUNDLE_LIST: ListSpec<'state', never> = {
  filters: { state: BUNDLE_STATES },
  sorts: [],
  sort: '',
  sizes: BUNDLE_PAGE_SIZES,
  size: BUNDLE_PAGE_SIZE,
};

/** All bundles, a page at a time. */
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

/** Where the file of the bundles is that the list shows, on all pages. */
export function exportAddress(state: ListState<'state', never>): string {
  return `/api/bundles/export.csv${queryText(filterParams(state))}`;
}

/** A listing SKU with what it is called and where it is sold. */
export interface ListingOption {
  readonly sku: string;
  readonly title: string;
  readonly marketplaces: readonly Marketplace[];
}

/** Listing SKUs by a part of SKU or title; the listings of one SKU on several marketplaces are one option. */
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

/** SKUs by a part of SKU or name. */
export const SKU_OPTIONS: ComboboxSource<SkuOption> = {
  queryKey: [BUNDLES, 'sku options'],
  find: async (text) => {
    const search = queryText({ page: '1', pageSize: String(OPTIONS), q: text === '' ? undefined : text });
    const { skus, total } = await call(SkusPage, 'GET', `/api/skus${search}`);
    return { options: skus, hasMore: total > skus.length };
  },
};

/** A save of one bundle. `seen` are the stored components that the person started from. */
export interface BundleSave {
  readonly listingSku: string;
  readonly draft: Draft;
  readonly seen: readonly BundleComponent[];
  /** An Undo: it comes back as it was, with a SKU that was deleted since too. */
  readonly restores?: boolean;
}

/** Replaces one bundle. A failed save leaves the stored one as it was. */
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

/** Takes a bundle apart; its listings have no known cost until somebody decides what they are. */
export function useRemoveBundle(): UseMutationResult<RemovedBundle, Error, string> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (listingSku) => call(RemovedBundle, 'DELETE', bundlePath(listingSku)),
    onSuccess: (_, listingSku) => settle(client, listingSku, []),
  });
}

/** Says that a listing SKU is no bundle any more. */
export function useConfirmSingle(): UseMutationResult<{ confirmed: number }, Error, string> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (listingSku) =>
      callWithStepUp(ConfirmedSingle, 'POST', '/api/bundles/confirm-single', { listingSkus: [listingSku] }),
    onSuccess: (_, listingSku) => settle(client, listingSku, []),
  });
}

/** Has the server read a file; nothing is written. */
export function useCheckFile(): UseMutationResult<CheckedBundles, Error, File> {
  return useMutation({
    mutationFn: (file) =>
      uploadFile({
        schema: CheckedBundles,
        path: `/api/bundles/check?${new URLSearchParams({ name: file.name })}`,
        file,
        onProgress: () => undefined,
        signal: new AbortController().signal,
      }),
  });
}

/** Replaces the bundles of a file, all of them or none. */
export function useImportBundles(): UseMutationResult<BundleComponent[], Error, SaveBundles> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (components) => callWithStepUp(BundleComponents, 'POST', '/api/bundles/bulk', components),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: [BUNDLES] });
      await markOld(client, BUNDLES);
    },
  });
}

/** What was answered is shown at once; everything else that depends on it is loaded again. */
async function settle(client: QueryClient, listingSku: string, stored: BundleComponent[]): Promise<void> {
  const { queryKey } = storedQuery(listingSku);
  client.setQueryData(queryKey, stored);
  // Not waited for: the figures follow by themselves.
  for (const part of ['preview', 'list']) void client.invalidateQueries({ queryKey: [BUNDLES, part] });
  await markOld(client, BUNDLES);
}
