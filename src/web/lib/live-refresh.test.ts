import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { noteOwnChange } from './live-changes.ts';
import { createLiveRefresh, LISTING_PANEL_KEY } from './live-refresh.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A client that counts its reads; each takes a second. */
function counting() {
  const client = new QueryClient();
  const reads: string[] = [];
  const marked: string[] = [];
  client.invalidateQueries = (filters) => {
    // Queries that are only marked as stale are read when a screen shows them.
    if (filters?.refetchType === 'none') marked.push(filters.queryKey?.join(' ') ?? '');
    else reads.push(String(filters?.queryKey?.[0]));
    return new Promise((resolve) => setTimeout(resolve, 1_000));
  };
  const refresh = createLiveRefresh(client);
  const changed = (topic: 'engine' | 'jobs' | 'listings' | 'users'): void =>
    refresh.note({ kind: 'changed', topic, ids: [] });
  return { reads, marked, refresh, changed };
}

test('a burst of events causes one read, and events during the read one more', async () => {
  const { reads, changed } = counting();
  changed('engine');
  changed('engine');
  await vi.advanceTimersByTimeAsync(300);
  const once = ['engine', 'connections'];
  expect(reads).toEqual(once);
  changed('engine');
  changed('engine');
  await vi.advanceTimersByTimeAsync(5_000);
  expect(reads).toEqual([...once, ...once]);
});

test('jobs are reloaded with their imports; of listings their number in each view alone', async () => {
  const { reads, changed } = counting();
  changed('listings');
  changed('jobs');
  await vi.advanceTimersByTimeAsync(300);
  expect(reads).toEqual(['view-totals', 'jobs', 'imports']);
});

test('the accounts are reloaded when they change', async () => {
  const { reads, changed } = counting();
  changed('users');
  await vi.advanceTimersByTimeAsync(300);
  expect(reads).toEqual(['users']);
});

test('open data of a changed listing is marked as outdated, by its id or all of it', () => {
  const { marked, refresh, changed } = counting();
  refresh.note({ kind: 'changed', topic: 'listings', ids: ['7', '9'] });
  changed('listings');
  changed('engine');
  expect(marked).toEqual(['listing-panel 7', 'listing-panel 9', 'listing-panel']);
});

test('a read that was running when its listing changed is repeated: it may be outdated', async () => {
  const client = new QueryClient();
  let reads = 0;
  const observer = new QueryObserver(client, {
    queryKey: [...LISTING_PANEL_KEY, '7', 'prices'],
    queryFn: async () => {
      reads += 1;
      const at = reads;
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      return at;
    },
  });
  const stop = observer.subscribe(() => undefined);
  const { note } = createLiveRefresh(client);
  note({ kind: 'changed', topic: 'listings', ids: ['8'] });
  await vi.advanceTimersByTimeAsync(500);
  note({ kind: 'changed', topic: 'listings', ids: ['7'] });
  note({ kind: 'changed', topic: 'listings', ids: ['7'] });
  await vi.advanceTimersByTimeAsync(5_000);
  expect([reads, observer.getCurrentResult().data]).toEqual([2, 2]);
  // Visible data does not change.
  note({ kind: 'changed', topic: 'listings', ids: ['7'] });
  await vi.advanceTimersByTimeAsync(5_000);
  expect(reads).toBe(2);
  stop();
  client.clear();
});

test('after a change made on this page, open data of the listing is reloaded', () => {
  const { reads, marked, refresh } = counting();
  noteOwnChange(['7']);
  refresh.note({ kind: 'changed', topic: 'listings', ids: ['7', '9'] });
  expect([reads, marked]).toEqual([['listing-panel'], ['listing-panel 9']]);
});

test('after a gap in the stream everything is reloaded, and nothing after unsubscribing', async () => {
  const { reads, refresh, changed } = counting();
  refresh.note({ kind: 'resync' });
  await vi.advanceTimersByTimeAsync(2_000);
  const all = ['engine', 'connections', 'jobs', 'imports', 'users', 'alerts', 'view-totals'];
  expect(reads).toEqual(all);
  changed('engine');
  refresh.stop();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(reads).toEqual(all);
});
