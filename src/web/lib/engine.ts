import { queryOptions, useQuery } from '@tanstack/react-query';
import { EngineStatus } from '#contract/engine.ts';
import { call } from './api.ts';

/** Query key prefix of everything about repricing: its state, the previews, the runs. */
export const ENGINE_KEY = ['engine'] as const;

/** Milliseconds. */
const COUNT_DOWN = 2_000;

/** The state shown on every page; live events keep it current. */
export const engineQuery = queryOptions({
  queryKey: [...ENGINE_KEY, 'status'] as const,
  queryFn: () => call(EngineStatus, 'GET', '/api/engine'),
  // No engine event reports single prices: while repricing is halted, the prices still on their way are polled.
  refetchInterval: ({ state: { data } }) => (data?.isHalted && data.inProgressCount > 0 ? COUNT_DOWN : false),
});

/** Whether repricing is halted, from the cache; false while unknown. Sends no request. */
export function useIsHalted(): boolean {
  return useQuery({ ...engineQuery, enabled: false }).data?.isHalted === true;
}
