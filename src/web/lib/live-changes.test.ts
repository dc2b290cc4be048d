import { QueryClient } from '@tanstack/react-query';
import { act, renderHook } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { catchUp, forgetChanges, noteChange, noteOwnChange, useLiveChanges } from './live-changes.ts';
import { SESSION_KEY } from './session.ts';

afterEach(forgetChanges);

const changed = (...ids: string[]) => noteChange({ kind: 'changed', topic: 'listings', ids });

test('what was changed here is no news, before and after the server tells of it', () => {
  const { result } = renderHook(useLiveChanges);
  act(() => {
    changed('before', 'other');
    noteOwnChange(['before', 'after']);
    changed('after');
  });
  expect([...result.current.listings]).toEqual(['other']);
  expect(result.current.uncounted).toBe(false);
});

test('a message without ids means many', () => {
  const { result } = renderHook(useLiveChanges);
  act(() => changed());
  expect(result.current.uncounted).toBe(true);
});

test('who has caught up leaves the other screens to load again, and the session alone', async () => {
  const client = new QueryClient();
  for (const key of ['listings', 'stats', SESSION_KEY[0]]) client.setQueryData([key], {});
  changed('1');
  await catchUp(client, 'listings');
  const isOld = (key: string) => client.getQueryState([key])?.isInvalidated;
  expect([isOld('listings'), isOld('stats'), isOld(SESSION_KEY[0])]).toEqual([false, true, false]);
  expect(renderHook(useLiveChanges).result.current.listings.size).toBe(0);
});
