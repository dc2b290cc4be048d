import type { QueryClient } from '@tanstack/react-query';
import type { LiveEvent } from '#contract/events.ts';
import { SESSION_KEY } from './session.ts';
import { createPageStore } from './store.ts';

/** What changed since the figures on screen were loaded. */
export interface LiveChanges {
  /** Ids of the listings that changed. */
  readonly listings: ReadonlySet<string>;
  /** Something changed that cannot be counted: messages may have been missed. */
  readonly uncounted: boolean;
}

const NONE: LiveChanges = { listings: new Set(), uncounted: false };

const changes = createPageStore(NONE);

/** Takes note of an event; the end of a session is not a change of figures. */
export function noteChange(event: LiveEvent): void {
  const current = changes.get();
  if (event.kind === 'resync') changes.set({ ...current, uncounted: true });
  if (event.kind === 'changed' && event.topic === 'listings') {
    const news = event.ids.filter((id) => !isOwnChange(id));
    // No ids at all: many changed.
    if (event.ids.length === 0) changes.set({ ...current, uncounted: true });
    else if (news.length > 0) changes.set({ ...current, listings: new Set([...current.listings, ...news]) });
  }
}

/** The figures were loaded again. */
export function forgetChanges(): void {
  changes.set(NONE);
}

/** A change made here that is on screen already is no news when the server tells of it. Milliseconds. */
const OWN_FOR = 10_000;
const own = createPageStore<ReadonlyMap<string, number>>(new Map());

/** These listings were changed from this page: what comes about them in the next seconds is not offered again. */
export function noteOwnChange(ids: readonly string[]): void {
  const now = performance.now();
  const recent = [...own.get()].filter(([, until]) => until > now);
  own.set(new Map([...recent, ...ids.map((id) => [id, now + OWN_FOR] as const)]));
  const current = changes.get();
  if (!ids.some((id) => current.listings.has(id))) return;
  changes.set({ ...current, listings: new Set([...current.listings].filter((id) => !own.get().has(id))) });
}

/** Whether it was changed from this page, seconds ago. */
export function isOwnChange(id: string): boolean {
  return (own.get().get(id) ?? 0) > performance.now();
}

/**
 * A screen has loaded everything anew: what it shows is no longer out of date. What other screens hold is, and is
 * loaded again as they are opened.
 * @param loaded the beginning of the keys that were loaded anew
 */
export async function catchUp(client: QueryClient, loaded: string): Promise<void> {
  forgetChanges();
  await markOld(client, loaded);
}

/** What other screens hold is old: it is loaded again when somebody looks at it. */
export async function markOld(client: QueryClient, except: string): Promise<void> {
  await client.invalidateQueries({
    predicate: ({ queryKey }) => queryKey[0] !== except && queryKey[0] !== SESSION_KEY[0],
    refetchType: 'none',
  });
}

/** What changed since the last load. */
export const useLiveChanges: () => LiveChanges = changes.use;
