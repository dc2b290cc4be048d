import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { Alerts } from '#contract/alerts.ts';
import { call } from './api.ts';

const ALERTS_KEY = ['alerts'] as const;

/** Alerts for all users; live events keep them current. */
export const alertsQuery = queryOptions({
  queryKey: ALERTS_KEY,
  queryFn: () => call(Alerts, 'GET', '/api/alerts'),
});

/** Marks the alerts as seen. Fails silently: the bell then counts them again. */
export function useMarkAlertsSeen(): () => void {
  const client = useQueryClient();
  const look = useMutation({
    mutationFn: () => call(Alerts, 'POST', '/api/alerts/seen'),
    onSuccess: (seen) => client.setQueryData(ALERTS_KEY, seen),
  });
  return () => look.mutate();
}
