import type { LiveEvent } from '#contract/events.ts';
import { createStore } from './store.ts';

/** What changed since the figures on screen were loaded. */
export interface LiveChanges {
  /** Ids of the listings that changed. */
  readonly listings: ReadonlySet<string>;
  /** Something changed that cannot be counted: messages may have been missed. */
  readonly uncounted: boolean;
}

const NONE: LiveChanges = { listings: new Set(), uncounted: false };

const changes = createStore(NONE);

/** Takes note of an event; the end of a session is not a change of figures. */
export function noteChange(event: LiveEvent): void {
  const current = changes.get();
  if (event.kind === 'resync') changes.set({ ...current, uncounted: true });
  if (event.kind === 'changed' && event.topic === 'listings') {
    changes.set({ ...current, listings: new Set([...current.listings, ...event.ids]) });
  }
}

/** The figures were loaded again. */
export function forgetChanges(): void {
  changes.set(NONE);
}

/** What changed since the last load. */
export const useLiveChanges: () => LiveChanges = changes.use;
