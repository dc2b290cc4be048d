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

/** A client that counts what it is asked to read again; each read takes a second. */
function counting() {
  const client = new QueryClient();
  const reads: string[] = [];
  const marked: string[] = [];
  client.invalidateQueries = (filters) => {
    // What is only marked is read when somebody looks at it.
    if (filters?.refetchType === 'none') marked.push(filters.queryKey?.join(' ') ?? '');
    else reads.push(String(filters?.queryKey?.[0]));
    return new Promise((resolve) => setTimeout(resolve, 1_000));
  };
  const refresh = createLiveRefresh(client);
  const changed = (topic: 'engine' | 'jobs' | 'listings' | 'users'): void =>
    refresh.note({ kind: 'changed', topic, ids: [] });
  return { reads, marked, refresh, changed };
}

test('a burst of events is one read, and what comes during the read is one more', async () => {
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

test('jobs are read with the imports they work for; listings never move under the reader', async () => {
  const { reads, changed } = counting();
  changed('listings');
  changed('jobs');
  await vi.advanceTimersByTimeAsync(300);
  expect(reads).toEqual(['jobs', 'imports']);
});

test('the accounts are read again as they change', async () => {
  const { reads, changed } = counting();
  changed('users');
  await vi.advanceTimersByTimeAsync(300);
  expect(reads).toEqual(['users']);
});

test('what is open of a listing is marked as old, by its id or all of it', () => {
  const { marked, refresh, changed } = counting();
  refresh.note({ kind: 'changed', topic: 'listings', ids: ['7', '9'] });
  changed('listings');
  changed('engine');
  expect(marked).toEqual(['listing-panel 7', 'listing-panel 9', 'listing-panel']);
});

test('a figure that was on its way as its listing changed is read once more: it may be of before', async () => {
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
  // What is in view does not move.
  note({ kind: 'changed', topic: 'listings', ids: ['7'] });
  await vi.advanceTimersByTimeAsync(5_000);
  expect(reads).toBe(2);
  stop();
  client.clear();
});

test('a change made on this page is no news: what is open of the listing follows', () => {
  const { reads, marked, refresh } = counting();
  noteOwnChange(['7']);
  refresh.note({ kind: 'changed', topic: 'listings', ids: ['7', '9'] });
  expect([reads, marked]).toEqual([['listing-panel'], ['listing-panel 9']]);
});

test('after a gap in the stream everything is read again, and nothing after the end', async () => {
  const { reads, refresh, changed } = counting();
  refresh.note({ kind: 'resync' });
  await vi.advanceTimersByTimeAsync(2_000);
  const all = ['engine', 'connections', 'jobs', 'imports', 'users', 'alerts'];
  expect(reads).toEqual(all);
  changed('engine');
  refresh.stop();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(reads).toEqual(all);
});
