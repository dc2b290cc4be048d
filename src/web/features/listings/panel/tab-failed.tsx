import type { UseQueryResult } from '@tanstack/react-query';
import { LoadFailed } from '#web/ui/load-failed.tsx';

/** Why a tab has nothing, with Retry. @returns what QueryView asks for */
export function tabFailed(title: string, query: Pick<UseQueryResult, 'isFetching'>) {
  return (error: Error, retry: () => void): React.JSX.Element => (
    <LoadFailed title={title} error={error} onRetry={retry} retrying={query.isFetching} />
  );
}
