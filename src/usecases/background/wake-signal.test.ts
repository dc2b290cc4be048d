import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createWakeSignal } from './wake-signal.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Whether a wait has ended, without waiting for it. */
async function isOver(wait: Promise<void>): Promise<boolean> {
  const pending = Symbol('pending');
  return (await Promise.race([wait, Promise.resolve().then(() => Promise.resolve(pending))])) !== pending;
}

test('a wait ends after its time', async () => {
  const wait = createWakeSignal().wait(1_000);
  vi.advanceTimersByTime(999);
  expect(await isOver(wait)).toBe(false);
  vi.advanceTimersByTime(1);
  expect(await isOver(wait)).toBe(true);
});

test('a call ends the wait at once, and only that one', async () => {
  const waker = createWakeSignal();
  const first = waker.wait(1_000);
  waker.wake();
  expect(await isOver(first)).toBe(true);
  expect(await isOver(waker.wait(1_000))).toBe(false);
});

test('a call between two waits is not lost, and several count as one', async () => {
  const waker = createWakeSignal();
  waker.wake();
  waker.wake();
  expect(await isOver(waker.wait(1_000))).toBe(true);
  expect(await isOver(waker.wait(1_000))).toBe(false);
});
