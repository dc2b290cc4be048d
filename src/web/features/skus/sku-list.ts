import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { LabelField } from '#contract/labels.ts';
import { SKU_PAGE_SIZE, SKU_PAGE_SIZES, SKU_SORTS, Sku, type SkuSort, SkusPage } from '#contract/skus.ts';
import { call } from '#web/lib/api.ts';
import { LABEL_SPEC } from '#web/lib/label-text.ts';
import {
  type ChangeList,
  filterParams,
  type ListSpec,
  type ListState,
  queryText,
  sortParam,
  useListState,
} from '#web/lib/list-state.ts';
import { readStored, STORAGE_KEYS, writeStored } from '#web/lib/storage.ts';
import type { BuiltInView } from '#web/ui/table/views/use-saved-views.ts';

export type SkusState = ListState<LabelField, SkuSort>;
export type ChangeSkus = ChangeList<LabelField, SkuSort>;

/** Address parameters of SKUs. */
export const SKUS_SPEC: ListSpec<LabelField, SkuSort> = {
  filters: LABEL_SPEC,
  sorts: SKU_SORTS,
  sort: 'sku',
  sizes: SKU_PAGE_SIZES,
  size: SKU_PAGE_SIZE,
};

/** The predefined view of SKUs, without filters. */
export const SKU_VIEWS: readonly BuiltInView[] = [{ id: '', name: 'All SKUs', query: {} }];

/** Query key prefix of the list's pages and of single SKUs. */
export const SKUS_KEY = ['skus'] as const;

/** One page of the list; the previous page stays until it is loaded. */
export const skusQuery = (state: SkusState) => {
  const { page, size, sort } = state;
  const params = {
    page: String(page),
    pageSize: String(size),
    ...filterParams(state),
    ...(sort === null || sortParam(sort) === SKUS_SPEC.sort ? {} : { sort: sortParam(sort) }),
  };
  return queryOptions({
    queryKey: [...SKUS_KEY, 'list', params] as const,
    queryFn: async () => {
      const { skus, total } = await call(SkusPage, 'GET', `/api/skus${queryText(params)}`);
      return { rows: skus, total };
    },
    placeholderData: keepPreviousData,
    // Stale when the screen is opened again: imports and other users change them.
    refetchOnMount: 'always',
  });
};

/** The current values of one SKU. Never cached: it is about to be edited. */
export const skuQuery = (id: string) =>
  queryOptions({
    queryKey: [...SKUS_KEY, 'one', id] as const,
    queryFn: () => call(Sku, 'GET', `/api/skus/${encodeURIComponent(id)}`),
    gcTime: 0,
  });

/** The list in the address. The default page size is the one used last in this browser. */
export function useSkuList(): readonly [SkusState, ChangeSkus] {
  const [state, change] = useListState(SKUS_SPEC);
  const { size }: { size?: string } = useSearch({ strict: false });
  const isSized = SKU_PAGE_SIZES.some((each) => String(each) === size);
  const effective = useMemo(() => (isSized ? state : { ...state, size: storedSize() }), [state, isSized]);
  return [effective, change];
}

/** Stores the page size for the next visit. */
export function rememberSize(size: number): void {
  writeStored(STORAGE_KEYS.skusPageSize, String(size));
}

function storedSize(): number {
  const stored = Number(readStored(STORAGE_KEYS.skusPageSize));
  return SKU_PAGE_SIZES.find((size) => size === stored) ?? SKU_PAGE_SIZE;
}
