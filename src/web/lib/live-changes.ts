import type { QueryClient } from '@tanstack/react-query';
import type { LiveEvent } from '#contract/events.ts';
import { SESSION_KEY } from './session.ts';
import { createPageStore } from './store.ts';

/** What changed since the figures on screen were loaded. */
export interface LiveChanges {
  /** Ids of the listings that changed. */
  readonly listings: ReadonlySet<string>;
  /** Changes that cannot be counted: events may have been missed. */
  readonly uncounted: boolean;
}

const NONE: LiveChanges = { listings: new Set(), uncounted: false };

const changes = createPageStore(NONE);

/** Records an event; the end of a session is not a change of figures. */
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

/** Clears the changes after a reload of the figures. */
export function forgetChanges(): void {
  changes.set(NONE);
}

/** Milliseconds in which the server's event about a change made here is ignored: it is on screen already. */
const OWN_CHANGE_MS = 10_000;
const own = createPageStore<ReadonlyMap<string, number>>(new Map());

/** Records listings changed from this page: events about them in the next seconds offer no refresh. */
export function noteOwnChange(ids: readonly string[]): void {
  const now = performance.now();
  const recent = [...own.get()].filter(([, until]) => until > now);
  own.set(new Map([...recent, ...ids.map((id) => [id, now + OWN_CHANGE_MS] as const)]));
  const current = changes.get();
  if (!ids.some((id) => current.listings.has(id))) return;
  changes.set({ ...current, listings: new Set([...current.listings].filter((id) => !own.get().has(id))) });
}

/** Whether it was changed from this page in the last seconds. */
export function isOwnChange(id: string): boolean {
  return (own.get().get(id) ?? 0) > performance.now();
}

/**
 * After a screen has reloaded its data: its figures are current. Data of other screens is marked as outdated and
 * reloaded when they are opened.
 * @param loaded prefix of the query keys that were reloaded
 */
export async function catchUp(client: QueryClient, loaded: string): Promise<void> {
  forgetChanges();
  await markOld(client, loaded);
}

/** Marks the data of other screens as outdated: it is reloaded when they are opened. */
export async function markOld(client: QueryClient, except: string): Promise<void> {
  await client.invalidateQueries({
    predicate: ({ queryKey }) => queryKey[0] !== except && queryKey[0] !== SESSION_KEY[0],
    refetchType: 'none',
  });
}

/** Changes after the last load. */
export const useLiveChanges: () => LiveChanges = changes.use;
