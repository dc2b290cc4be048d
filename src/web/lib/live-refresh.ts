import type { Query, QueryClient } from '@tanstack/react-query';
import type { LiveEvent } from '#contract/events.ts';
import { ENGINE_KEY } from './engine.ts';
import { JOBS_KEY } from './jobs.ts';
import { isOwnChange } from './live-changes.ts';

/** Events come in bursts while a run goes on; one read answers all of a burst. Milliseconds. */
const GATHER = 250;

/** Which stored data a topic makes old. The list of listings is not among it: its figures never move under the reader. */
const KEYS_OF_TOPIC: Record<string, readonly (readonly string[])[]> = {
  engine: [ENGINE_KEY, ['connections']],
  jobs: [JOBS_KEY, ['imports']],
  users: [['users']],
  alerts: [['alerts']],
};

/** What is loaded of single listings, each under its id; what is in view says that it is old, and offers to load it again. */
export const LISTING_PANEL_KEY = ['listing-panel'] as const;

/** Reads again what events name: the engine's state with what is read from marketplaces, the jobs and the accounts. @returns what to do with each event, and a stop */
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
 * What is in view of listings that changed says that it is old. What was changed on this page follows at once, and what
 * is on its way is read once more: neither moves under the reader, and its figures may be those of before.
 */
function markPanelsOld(client: QueryClient, event: LiveEvent): void {
  if (event.kind === 'signedOut' || (event.kind === 'changed' && event.topic !== 'listings')) return;
  const ids = event.kind === 'changed' ? event.ids : [];
  // No ids at all: many changed, or nobody knows.
  if (ids.length === 0) markOld(client, LISTING_PANEL_KEY, false);
  for (const id of ids) markOld(client, [...LISTING_PANEL_KEY, id], isOwnChange(id));
}

function markOld(client: QueryClient, queryKey: readonly string[], isOwn: boolean): void {
  const onTheirWay = client.getQueryCache().findAll({ queryKey, fetchStatus: 'fetching' });
  void client.invalidateQueries({ queryKey, refetchType: isOwn ? 'active' : 'none' });
  for (const query of onTheirWay) void readAgain(client, query);
}

/** Once what it asked for has come, whether it came or not: several events are one more read. */
async function readAgain(client: QueryClient, query: Query): Promise<void> {
  await query.promise?.catch(() => undefined);
  if (query.state.fetchStatus === 'idle')
    await client.refetchQueries({ queryKey: query.queryKey, exact: true, type: 'active' });
}

// At most one read at a time and one more after it: a steady stream of events must not cancel every read.
function gathered(read: () => Promise<unknown>): { ask: () => void; cancel: () => void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isReading = false;
  let isAskedAgain = false;
  const start = async (): Promise<void> => {
    timer = undefined;
    isReading = true;
    await read();
    isReading = false;
    if (!isAskedAgain) return;
    isAskedAgain = false;
    ask();
  };
  const ask = (): void => {
    if (isReading) isAskedAgain = true;
    else timer ??= setTimeout(() => void start(), GATHER);
  };
  return { ask, cancel: () => clearTimeout(timer) };
}
