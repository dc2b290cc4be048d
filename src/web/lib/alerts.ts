import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { Notices } from '#contract/alerts.ts';
import { call } from './api.ts';

const NOTICES_KEY = ['notices'] as const;

/** What everybody has to know of; live events keep it fresh. */
export const noticesQuery = queryOptions({
  queryKey: NOTICES_KEY,
  queryFn: () => call(Notices, 'GET', '/api/notices'),
});

/** Says that the notices were looked at. Fails silently: the bell then counts them once more. */
export function useNoteLook(): () => void {
  const client = useQueryClient();
  const look = useMutation({
    mutationFn: () => call(Notices, 'POST', '/api/notices/seen'),
    onSuccess: (seen) => client.setQueryData(NOTICES_KEY, seen),
  });
  return () => look.mutate();
}
