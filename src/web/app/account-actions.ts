import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';
import { z } from 'zod';
import { callOnce, errorText } from '#web/lib/api.ts';
import { clearSession, reportLogout } from '#web/lib/session.ts';
import { toast } from '#web/lib/use-toast.ts';

/** Time to read the toast before the page goes, in milliseconds. */
const RELOAD_AFTER = 500;

/** Ends the session here and on the server. */
export function useLogout(): UseMutationResult<unknown, Error, void> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => callOnce(z.unknown(), 'POST', '/api/logout'),
    onSuccess: () => {
      reportLogout();
      clearSession(client);
    },
    onError: (error) => toast('Logout failed', errorText(error), 'destructive'),
  });
}

/**
 * Clears the loaded data, then reloads. The user's choices, such as the theme and page sizes, are kept.
 * @param reload default: the window's own reload
 */
export function useClearCache(reload = () => window.location.reload()): () => void {
  const client = useQueryClient();
  return () => {
    client.clear();
    toast('Cache cleared', 'Reloading application...');
    setTimeout(reload, RELOAD_AFTER);
  };
}
