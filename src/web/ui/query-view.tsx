import type { UseQueryResult } from '@tanstack/react-query';
import { type LoadingFace, useDelayed } from './use-delayed.ts';

type QueryViewProps<Data> = {
  query: UseQueryResult<Data>;
  /** The final layout in grey. */
  loading: React.ReactNode;
  /** Stands alone when nothing was ever loaded; above the old data when a refresh failed. */
  failed: (error: Error, retry: () => void) => React.ReactNode;
  /** Where more than this depends on what is in view: two clocks of their own could differ. */
  face?: LoadingFace;
  children: (data: Data) => React.ReactNode;
};

/** The faces of a query: failed, loading, loaded. What was loaded once stays on screen when a refresh fails. */
export function QueryView<Data>({
  query,
  loading,
  failed,
  face: given,
  children,
}: QueryViewProps<Data>): React.JSX.Element {
  const own = useDelayed(query.isPending);
  const face = given ?? own;
  const failure = query.error === null ? null : failed(query.error, () => void query.refetch());
  const data = query.data;
  return (
    <div aria-busy={query.isFetching} className="flex flex-col gap-4">
      {face === 'ready' && failure}
      {face === 'placeholder' && loading}
      {face === 'ready' && data !== undefined && children(data)}
    </div>
  );
}
