import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { Alerts } from '#contract/alerts.ts';
import { call } from './api.ts';

const ALERTS_KEY = ['alerts'] as const;

/** What everybody has to know of; live events keep it fresh. */
export const noticesQuery = queryOptions({
  queryKey: ALERTS_KEY,
  queryFn: () => call(Alerts, 'GET', '/api/alerts'),
});

/** Says that the alerts were looked at. Fails silently: the bell then counts them once more. */
export function useNoteLook(): () => void {
  const client = useQueryClient();
  const look = useMutation({
    mutationFn: () => call(Alerts, 'POST', '/api/alerts/seen'),
    onSuccess: (seen) => client.setQueryData(ALERTS_KEY, seen),
  });
  return () => look.mutate();
}
