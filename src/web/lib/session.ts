import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { SessionUser } from '#contract/session.ts';
import { ApiError, callOnce } from './api.ts';
import { requestLogIn } from './reauth-store.ts';
import { forgetActions } from './recent-actions-store.ts';
import { createPageStore } from './store.ts';

/** The query that loads the session. */
export const SESSION_KEY = ['session'] as const;

const CHANNEL = 'pricewright-session';

/** The logged-in user; null if logged out. */
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
 * A call that ends this browser's session and starts another one. The event stream may report the end before the
 * response brings the new session: until then the user is not asked to log in.
 */
export async function renewSession<Result>(change: () => Promise<Result>): Promise<Result> {
  const running = change();
  renewal.set(running.catch(() => undefined));
  return running;
}

/** Sets the logged-in user. Data loaded by another user is dropped. */
export function startSession(client: QueryClient, user: SessionUser): void {
  dropData(client);
  client.setQueryData(sessionQuery.queryKey, user);
}

/** Forgets the user and everything loaded for them. */
export function clearSession(client: QueryClient): void {
  client.setQueryData(sessionQuery.queryKey, null);
  dropData(client);
}

/**
 * After the event stream has ended: rechecks the session. If it has ended, the user is asked to log in over the
 * current screen, so that typed text is kept.
 */
export async function recheckSession(): Promise<void> {
  await renewal.get();
  try {
    await callOnce(SessionUser, 'GET', '/api/user');
  } catch (error) {
    // A failed request says nothing about the session.
    if (error instanceof ApiError && error.code === 'not_signed_in') await requestLogIn();
  }
}

/** Reports the logout to the other tabs of this browser, so that they hide their data. */
export function reportLogout(): void {
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

// The session's own query stays: the route guards observe it.
function dropData(client: QueryClient): void {
  forgetActions();
  client.removeQueries({ predicate: (query) => query.queryKey[0] !== SESSION_KEY[0] });
}
