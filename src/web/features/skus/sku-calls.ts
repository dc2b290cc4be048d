import {
  type QueryClient,
  queryOptions,
  type UseMutationResult,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import type { z } from 'zod';
import {
  type EditSku,
  type MarkHazardous,
  type NewSkuForm,
  SavedSku,
  SimilarSkus,
  Sku,
  SkuImpact,
  type SkuImpactForm,
  type SkuSelection,
  SkusDone,
  SkuUses,
} from '#contract/skus.ts';
import { call } from '#web/lib/api.ts';
import { countOf } from '#web/lib/format.ts';
import { markOld } from '#web/lib/live-changes.ts';
import { callWithStepUp } from '#web/lib/step-up.ts';
import { SKUS_KEY } from './sku-list.ts';

/** Costs and margins have changed everywhere: reloads this list now, other screens when they are opened. */
export async function reloadSkus(client: QueryClient): Promise<void> {
  await Promise.all([client.invalidateQueries({ queryKey: SKUS_KEY }), markOld(client, SKUS_KEY[0])]);
}

export function useCreateSku(): UseMutationResult<Sku, Error, NewSkuForm> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (form) => callWithStepUp(Sku, 'POST', '/api/skus', form),
    onSuccess: () => void reloadSkus(client),
  });
}

export function useSaveSku(id: string): UseMutationResult<SavedSku, Error, z.input<typeof EditSku>> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (edit) => callWithStepUp(SavedSku, 'PUT', `/api/skus/${id}`, edit),
    onSuccess: () => void reloadSkus(client),
  });
}

/** SKUs with a similar code. */
export const similarQuery = (code: string) =>
  queryOptions({
    queryKey: [...SKUS_KEY, 'similar', code] as const,
    queryFn: async () =>
      (await call(SimilarSkus, 'GET', `/api/skus/similar?sku=${encodeURIComponent(code)}`)).similar,
    enabled: code !== '',
  });

/** The impact of saving these fields. */
export const impactQuery = (id: string, fields: SkuImpactForm) =>
  queryOptions({
    queryKey: ['sku-impact', id, fields] as const,
    queryFn: () => call(SkuImpact, 'POST', `/api/skus/${id}/impact`, fields),
    // Not cached: prices change.
    gcTime: 0,
  });

/** Listings and bundles that use the cost of these SKUs. */
export const usesQuery = (selection: SkuSelection) =>
  queryOptions({
    queryKey: ['sku-uses', selection] as const,
    queryFn: () => call(SkuUses, 'POST', '/api/skus/uses', { selection }),
    gcTime: 0,
  });

export function useDeleteSkus(): UseMutationResult<readonly string[], Error, SkuSelection> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (selection) => (await call(SkusDone, 'POST', '/api/skus/delete', { selection })).ids,
    // Not awaited: the dialog must not stay open over deleted rows.
    onSettled: () => void reloadSkus(client),
  });
}

export function useMarkHazardous(): UseMutationResult<
  readonly string[],
  Error,
  z.input<typeof MarkHazardous>
> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (marks) => (await callWithStepUp(SkusDone, 'POST', '/api/skus/hazardous', marks)).ids,
    onSettled: () => void reloadSkus(client),
  });
}

/** How many SKUs one call names. */
const MARKED_AT_ONCE = 1_000;

/** Undo of a mark: sets these SKUs back. */
export async function unmarkHazardous(
  client: QueryClient,
  ids: readonly string[],
  isHazardous: boolean,
): Promise<null> {
  try {
    for (let from = 0; from < ids.length; from += MARKED_AT_ONCE) {
      const selection = { ids: ids.slice(from, from + MARKED_AT_ONCE) };
      await callWithStepUp(SkusDone, 'POST', '/api/skus/hazardous', { selection, isHazardous });
    }
    return null;
  } finally {
    await reloadSkus(client);
  }
}

/** Undo of a delete: restored SKUs, and the number of those that could not be restored. */
export async function undeleteSkus(
  client: QueryClient,
  ids: readonly string[],
): Promise<{ title: string; text: string }> {
  try {
    const back = (await callWithStepUp(SkusDone, 'POST', '/api/skus/undelete', { ids })).ids.length;
    const left = ids.length - back;
    const rest = left === 0 ? '' : ` ${countOf(left, 'was', 'were')} already restored.`;
    return { title: 'SKUs restored', text: `${countOf(back, 'SKU', 'SKUs')} restored.${rest}` };
  } finally {
    await reloadSkus(client);
  }
}
