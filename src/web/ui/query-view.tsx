import type { UseQueryResult } from '@tanstack/react-query';
import { type LoadingPhase, useDelayed } from './use-delayed.ts';

type QueryViewProps<Data> = {
  query: UseQueryResult<Data>;
  /** The skeleton of the final layout. */
  loading: React.ReactNode;
  /** Shown alone before the first load; above the old data when a refresh failed. */
  failed: (error: Error, retry: () => void) => React.ReactNode;
  /** For a caller that needs the same delay: two timers could differ. */
  phase?: LoadingPhase;
  /** Takes the room of the skeleton from the start, for what is shown below and must not jump. */
  keepsPlace?: boolean;
  children: (data: Data) => React.ReactNode;
};

/** The states of a query: failed, loading, loaded. Loaded data stays on screen when a refresh fails. */
export function QueryView<Data>({
  query,
  loading,
  failed,
  phase: given,
  keepsPlace = false,
  children,
}: QueryViewProps<Data>): React.JSX.Element {
  const own = useDelayed(query.isPending);
  const phase = given ?? own;
  const failure = query.error === null ? null : failed(query.error, () => void query.refetch());
  const data = query.data;
  return (
    <div aria-busy={query.isFetching} className="flex flex-col gap-4">
      {phase === 'ready' && failure}
      {phase === 'placeholder' && loading}
      {phase === 'waiting' && keepsPlace && <div className="invisible">{loading}</div>}
      {phase === 'ready' && data !== undefined && children(data)}
    </div>
  );
}
