import { queryOptions, useQuery } from '@tanstack/react-query';
import { EngineStatus } from '#contract/engine.ts';
import { call } from './api.ts';

/** Everything the engine does is stored under this: its state, the plans, the runs. */
export const ENGINE_KEY = ['engine'] as const;

/** Milliseconds. */
const COUNT_DOWN = 2_000;

/** What the bar on every page shows; live events keep it fresh. */
export const engineQuery = queryOptions({
  queryKey: [...ENGINE_KEY, 'status'] as const,
  queryFn: () => call(EngineStatus, 'GET', '/api/engine'),
  // Prices arrive one by one, which no event says of the engine: under a halt they are counted down.
  refetchInterval: ({ state: { data } }) => (data?.isHalted && data.inProgressCount > 0 ? COUNT_DOWN : false),
});

/** Whether the bar on every page says that repricing is halted; false until it knows. Asks for nothing. */
export function useIsHalted(): boolean {
  return useQuery({ ...engineQuery, enabled: false }).data?.isHalted === true;
}
