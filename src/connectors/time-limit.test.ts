import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { withTimeLimit } from './time-limit.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Ends only when its signal aborts, as a call that is never answered. */
const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    if (signal.aborted) return reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason));
  });
const neverAborts = (): AbortSignal => new AbortController().signal;

test('work is aborted after the limit, also after a garbage collection', async () => {
  const ended = expect(withTimeLimit(1_000, [neverAborts()], untilAborted)).rejects.toThrow(
    expect.objectContaining({ name: 'TimeoutError' }),
  );
  collectGarbage();
  await vi.advanceTimersByTimeAsync(1_000);
  await ended;
});

test('work is aborted with the first of its signals and gets its reason', async () => {
  const halted = new AbortController();
  const ended = expect(withTimeLimit(1_000, [neverAborts(), halted.signal], untilAborted)).rejects.toThrow(
    'halt',
  );
  collectGarbage();
  halted.abort(new Error('halt'));
  await ended;
});

test.each([
  ['a limit of zero', 0, []],
  ['a limit in the past', -5, []],
  ['a signal that has aborted before', 1_000, [AbortSignal.abort(new Error('before'))]],
])('work with %s starts aborted', async (_, limit, signals) => {
  await expect(withTimeLimit(limit, signals, async (signal) => signal.aborted)).resolves.toBe(true);
});

test('nothing is left behind when the work ends', async () => {
  const stopping = new AbortController();
  const removed = vi.spyOn(stopping.signal, 'removeEventListener');
  await expect(withTimeLimit(1_000, [stopping.signal], async () => 'done')).resolves.toBe('done');
  await expect(
    withTimeLimit(1_000, [stopping.signal], () => Promise.reject(new Error('failed'))),
  ).rejects.toThrow('failed');
  expect(removed).toHaveBeenCalledTimes(2);
  expect(vi.getTimerCount()).toBe(0);
});
