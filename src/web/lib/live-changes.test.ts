import { QueryClient } from '@tanstack/react-query';
import { act, renderHook } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { catchUp, forgetChanges, noteChange, noteOwnChange, useLiveChanges } from './live-changes.ts';
import { SESSION_KEY } from './session.ts';

afterEach(forgetChanges);

const changed = (...ids: string[]) => noteChange({ kind: 'changed', topic: 'listings', ids });

test("a change made here is not reported, before and after the server's event", () => {
  const { result } = renderHook(useLiveChanges);
  act(() => {
    changed('before', 'other');
    noteOwnChange(['before', 'after']);
    changed('after');
  });
  expect([...result.current.listings]).toEqual(['other']);
  expect(result.current.uncounted).toBe(false);
});

test('an event without ids means many', () => {
  const { result } = renderHook(useLiveChanges);
  act(() => changed());
  expect(result.current.uncounted).toBe(true);
});

test('catching up marks the other screens as outdated and keeps the session', async () => {
  const client = new QueryClient();
  for (const key of ['listings', 'stats', SESSION_KEY[0]]) client.setQueryData([key], {});
  changed('1');
  await catchUp(client, 'listings');
  const isOld = (key: string) => client.getQueryState([key])?.isInvalidated;
  expect([isOld('listings'), isOld('stats'), isOld(SESSION_KEY[0])]).toEqual([false, true, false]);
  expect(renderHook(useLiveChanges).result.current.listings.size).toBe(0);
});
