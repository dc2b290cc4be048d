import { useQuery } from '@tanstack/react-query';
import { sessionQuery } from '#web/lib/session.ts';

/** Whether an administrator is looking: only they may say which sellers are us, and connect. */
export function useIsAdmin(): boolean {
  return useQuery(sessionQuery).data?.role === 'admin';
}
