import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { SessionUser } from '#contract/session.ts';
import { ApiError, callOnce } from './api.ts';
import { askToSignIn } from './reauth-store.ts';
import { forgetActions } from './recent-actions-store.ts';
import { createPageStore } from './store.ts';

/** The query that asks who is signed in. */
export const SESSION_KEY = ['session'] as const;

const CHANNEL = 'pricewright-session';

/** Who is signed in; null when nobody is. */
export const sessionQuery = queryOptions({
  queryKey: SESSION_KEY,
  queryFn: async (): Promise<SessionUser | null> => {
    try {
      return await callOnce(SessionUser, 'GET', '/api/user');
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) return null;
      throw error;
    }
  },
});

const renewal = createPageStore<Promise<unknown>>(Promise.resolve());

/**
 * A call that ends this browser's session and begins another one. The stream of events may tell of the end before the
 * answer brings the new session: until then nobody is asked to sign in.
 */
export async function renewSession<Result>(change: () => Promise<Result>): Promise<Result> {
  const running = change();
  renewal.set(running.catch(() => undefined));
  return running;
}

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

/**
 * The stream of events ended: the session may have, too. If so the person is asked to sign in over what is on screen,
 * so that nothing typed is lost.
 */
export async function recheckSession(): Promise<void> {
  await renewal.get();
  try {
    await callOnce(SessionUser, 'GET', '/api/user');
  } catch (error) {
    // Whoever cannot be asked says nothing about the session.
    if (error instanceof ApiError && error.code === 'not_signed_in') await askToSignIn();
  }
}

/** Tells the other tabs of this browser that nobody is signed in any more: their data must not stay in view. */
export function tellLogout(): void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage('logout');
  channel.close();
}

/**
 * Follows a Logout in another tab.
 * @returns stops following
 */
export function followLogout(client: QueryClient): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = () => clearSession(client);
  return () => channel.close();
}

// The session's own query stays: the guards watch it.
function dropData(client: QueryClient): void {
  forgetActions();
  client.removeQueries({ predicate: (query) => query.queryKey[0] !== SESSION_KEY[0] });
}
