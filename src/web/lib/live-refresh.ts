import type { Query, QueryClient } from '@tanstack/react-query';
import type { LiveEvent } from '#contract/events.ts';
import { ENGINE_KEY } from './engine.ts';
import { JOBS_KEY } from './jobs.ts';
import { isOwnChange } from './live-changes.ts';

/** Milliseconds to collect a burst of events, as during a run, into one read. */
const BURST_MS = 250;

/** Query key of the number of listings in each view. */
export const VIEW_TOTALS_KEY = ['view-totals'] as const;

/** The query keys each topic invalidates. Not the list of listings: its figures never change under the reader. */
const KEYS_OF_TOPIC: Record<string, readonly (readonly string[])[]> = {
  engine: [ENGINE_KEY, ['connections']],
  jobs: [JOBS_KEY, ['imports']],
  users: [['users']],
  alerts: [['alerts']],
  listings: [VIEW_TOTALS_KEY],
};

/** Query keys with data of single listings, by id; a visible one is shown as outdated, with a button to reload. */
export const LISTING_PANEL_KEY = ['listing-panel'] as const;

/** Reloads the data that events name: repricing state, syncs, jobs, accounts. @returns the event handler, and a stop */
export function createLiveRefresh(client: QueryClient): {
  note: (event: LiveEvent) => void;
  stop: () => void;
} {
  const refreshers = Object.entries(KEYS_OF_TOPIC).map(([topic, keys]) => ({
    topic,
    ...gathered(() => Promise.all(keys.map((queryKey) => client.invalidateQueries({ queryKey })))),
  }));
  return {
    note: (event) => {
      markPanelsOld(client, event);
      for (const { topic, ask } of refreshers) {
        if (event.kind === 'resync' || (event.kind === 'changed' && event.topic === topic)) ask();
      }
    },
    stop: () => {
      for (const { cancel } of refreshers) cancel();
    },
  };
}

/**
 * Marks visible data of changed listings as outdated. Data changed on this page is reloaded at once, and a read in
 * progress is repeated: neither changes under the reader, and its figures may be outdated.
 */
function markPanelsOld(client: QueryClient, event: LiveEvent): void {
  if (event.kind === 'signedOut' || (event.kind === 'changed' && event.topic !== 'listings')) return;
  const ids = event.kind === 'changed' ? event.ids : [];
  // No ids: many changed, or it is unknown which.
  if (ids.length === 0) markOld(client, LISTING_PANEL_KEY, false);
  for (const id of ids) markOld(client, [...LISTING_PANEL_KEY, id], isOwnChange(id));
}

function markOld(client: QueryClient, queryKey: readonly string[], isOwn: boolean): void {
  const onTheirWay = client.getQueryCache().findAll({ queryKey, fetchStatus: 'fetching' });
  void client.invalidateQueries({ queryKey, refetchType: isOwn ? 'active' : 'none' });
  for (const query of onTheirWay) void readAgain(client, query);
}

/** Runs after the current read has ended, successful or not: several events cause one more read. */
async function readAgain(client: QueryClient, query: Query): Promise<void> {
  await query.promise?.catch(() => undefined);
  if (query.state.fetchStatus === 'idle')
    await client.refetchQueries({ queryKey: query.queryKey, exact: true, type: 'active' });
}

// At most one read at a time and one more after it: a steady stream of events must not cancel every read.
function gathered(read: () => Promise<unknown>): { ask: () => void; cancel: () => void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isReading = false;
  let isRepeated = false;
  const start = async (): Promise<void> => {
    timer = undefined;
    isReading = true;
    await read();
    isReading = false;
    if (!isRepeated) return;
    isRepeated = false;
    ask();
  };
  const ask = (): void => {
    if (isReading) isRepeated = true;
    else timer ??= setTimeout(() => void start(), BURST_MS);
  };
  return { ask, cancel: () => clearTimeout(timer) };
}
