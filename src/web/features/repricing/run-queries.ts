import {
  keepPreviousData,
  queryOptions,
  type UseMutationResult,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { RunDetail, RunItemsPage, type RunSubset, RunsPage } from '#contract/engine.ts';
import { BulkOutcome } from '#contract/listings.ts';
import { type RunGrouping, RunGroups } from '#contract/undo-changes.ts';
import { call } from '#web/lib/api.ts';
import { ENGINE_KEY } from '#web/lib/engine.ts';
import { JOBS_KEY } from '#web/lib/jobs.ts';
import { markOld } from '#web/lib/live-changes.ts';
import { readersZone } from '#web/lib/moments.ts';
import { priceCall } from '#web/lib/price-calls.ts';
import type { DayRange } from '#web/ui/day-range.tsx';

export const RUN_PAGE_SIZES = [25, 50, 100] as const;
export const RUN_OUTCOMES = ['change', 'recommend', 'blocked'] as const;
export type RunOutcome = (typeof RUN_OUTCOMES)[number];

export type RunsView = { page: number; size: number; withEffect: boolean; only?: RunSubset; days: DayRange };

/** Days of the address in the API's form: they start at local midnight. */
function withDays(search: URLSearchParams, { from, to }: DayRange): URLSearchParams {
  if (from !== undefined) search.set('from', from);
  if (to !== undefined) search.set('to', to);
  if (from !== undefined || to !== undefined) search.set('zone', readersZone());
  return search;
}

export type RunGroupsView = { by: RunGrouping; days: DayRange };

/** Changes of runs by group; live events keep them current. */
export function runGroupsQuery({ by, days }: RunGroupsView) {
  const search = withDays(new URLSearchParams({ by }), days);
  search.set('zone', readersZone());
  return queryOptions({
    queryKey: [...ENGINE_KEY, 'groups', search.toString()] as const,
    queryFn: () => call(RunGroups, 'GET', `/api/runs/groups?${search}`),
    placeholderData: keepPreviousData,
  });
}

/** A page of the runs, newest first; live events keep it current. */
export function runsQuery({ page, size, withEffect, only, days }: RunsView) {
  const search = new URLSearchParams({ page: String(page), size: String(size) });
  if (withEffect) search.set('withEffect', 'true');
  if (only !== undefined) search.set('only', only);
  withDays(search, days);
  return queryOptions({
    queryKey: [...ENGINE_KEY, 'runs', search.toString()] as const,
    queryFn: () => call(RunsPage, 'GET', `/api/runs?${search}`),
    placeholderData: keepPreviousData,
  });
}

/** One run. */
export function runQuery(id: string) {
  return queryOptions({
    queryKey: [...ENGINE_KEY, 'run', id] as const,
    queryFn: () => call(RunDetail, 'GET', `/api/runs/${encodeURIComponent(id)}`),
  });
}

export type RunItemsView = { page: number; size: number; outcome: RunOutcome | null };

/** A page of a run's listings. */
export function runItemsQuery(id: string, { page, size, outcome }: RunItemsView) {
  const search = new URLSearchParams({ page: String(page), size: String(size) });
  if (outcome !== null) search.set('outcome', outcome);
  return queryOptions({
    queryKey: [...ENGINE_KEY, 'run', id, 'items', search.toString()] as const,
    queryFn: () => call(RunItemsPage, 'GET', `/api/runs/${encodeURIComponent(id)}/items?${search}`),
    placeholderData: keepPreviousData,
  });
}

/** Address of the export of all listings of a run, ignoring the filter on screen. */
export function runExportPath(id: string): string {
  return `/api/runs/${encodeURIComponent(id)}/items.csv`;
}

/** Undoes the prices of a run. The caller reports the result or the error. */
export function useUndoRun(id: string): UseMutationResult<BulkOutcome, Error, void> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => priceCall(BulkOutcome, 'POST', `/api/runs/${encodeURIComponent(id)}/undo`, {}),
    onSuccess: async () => {
      // Listings and history are outdated now; this page reloads at once.
      await markOld(client, ENGINE_KEY[0]);
      void client.invalidateQueries({ queryKey: ENGINE_KEY });
      void client.invalidateQueries({ queryKey: JOBS_KEY });
    },
  });
}
