import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { SessionUser } from '#contract/session.ts';
import { ApiError, call } from './api.ts';
import { toast } from './use-toast.ts';

/** The query that asks who is signed in. */
export const SESSION_KEY = ['session'] as const;

/** Who is signed in; null when nobody is. */
export const sessionQuery = queryOptions({
  queryKey: SESSION_KEY,
  queryFn: async (): Promise<SessionUser | null> => {
    try {
      return await call(SessionUser, 'GET', '/api/user');
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) return null;
      throw error;
    }
  },
});

/** Makes this user the one who is signed in. What an earlier user loaded is dropped. */
export function beginSession(client: QueryClient, user: SessionUser): void {
  dropData(client);
  client.setQueryData(sessionQuery.queryKey, user);
}

/** Forgets the user and everything loaded for them. */
export function clearSession(client: QueryClient): void {
  client.setQueryData(sessionQuery.queryKey, null);
  dropData(client);
}

/** The server ended the session. Says so once, and only to somebody who was signed in. */
export function endSession(client: QueryClient): void {
  const wasSignedIn = Boolean(client.getQueryData(sessionQuery.queryKey));
  clearSession(client);
  if (wasSignedIn) tellSessionEnded();
}

/** Asks the server who is signed in; what is known stays while it cannot be reached. */
export async function recheckSession(client: QueryClient): Promise<void> {
  const before = client.getQueryData(sessionQuery.queryKey);
  await client.refetchQueries({ queryKey: SESSION_KEY });
  if (!before || client.getQueryData(sessionQuery.queryKey) !== null) return;
  dropData(client);
  tellSessionEnded();
}

function tellSessionEnded(): void {
  toast('Your session has ended', 'Log in again to go on where you were.');
}

// The session's own query stays: the guards watch it.
function dropData(client: QueryClient): void {
  client.removeQueries({ predicate: (query) => query.queryKey[0] !== SESSION_KEY[0] });
}
