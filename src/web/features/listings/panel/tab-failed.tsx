import type { UseQueryResult } from '@tanstack/react-query';
import { LoadFailed } from '#web/ui/load-failed.tsx';

/** The error of a tab, with Retry. @returns props for QueryView */
export function tabFailed(title: string, query: Pick<UseQueryResult, 'isFetching'>) {
  return (error: Error, retry: () => void): React.JSX.Element => (
    <LoadFailed title={title} error={error} onRetry={retry} retrying={query.isFetching} />
  );
}
