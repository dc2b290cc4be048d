import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { LiveEvent } from '#contract/events.ts';
import { listenToLiveEvents } from './live-events.ts';

/** An event stream whose messages the test sends. */
class TestSource {
  static readonly CLOSED = 2;
  static readonly opened: TestSource[] = [];
  readyState = 1;
  onmessage: ((message: { data: string }) => void) | undefined;
  onerror: (() => void) | undefined;
  constructor() {
    TestSource.opened.push(this);
  }
  close(): void {
    this.readyState = TestSource.CLOSED;
  }
  send(event: unknown): void {
    this.onmessage?.({ data: JSON.stringify(event) });
  }
  refuse(): void {
    this.close();
    this.onerror?.();
  }
}

const CHANGED: LiveEvent = { kind: 'changed', topic: 'listings', ids: ['a'] };
const stops: (() => void)[] = [];

beforeEach(() => {
  TestSource.opened.length = 0;
  vi.stubGlobal('EventSource', TestSource);
  vi.useFakeTimers();
});

afterEach(() => {
  for (const stop of stops.splice(0)) stop();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function listen() {
  const received: LiveEvent[] = [];
  const onRefused = vi.fn();
  const stop = listenToLiveEvents({ onEvent: (event) => received.push(event), onRefused });
  stops.push(stop);
  const source = (at = 0): TestSource => {
    const found = TestSource.opened[at];
    if (found === undefined) throw new Error(`stream ${at} was not opened`);
    return found;
  };
  return { received, onRefused, stop, source };
}

test('the first resync of a stream is ignored; one after a lost connection is reported', () => {
  const { received, source } = listen();
  source().send({ kind: 'resync' });
  source().send(CHANGED);
  source().send({ kind: 'resync' });
  expect(received).toEqual([CHANGED, { kind: 'resync' }]);
});

test('an event unknown to this release is ignored', () => {
  const { received, source } = listen();
  source().send({ kind: 'party' });
  source().onmessage?.({ data: 'not JSON' });
  source().send(CHANGED);
  expect(received).toEqual([CHANGED]);
});

test('a rejected stream rechecks the session and is reopened later', () => {
  const { received, onRefused, source } = listen();
  source().refuse();
  expect(onRefused).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(29_000);
  expect(TestSource.opened).toHaveLength(1);
  vi.advanceTimersByTime(1_000);
  source(1).send({ kind: 'resync' });
  expect(received).toEqual([{ kind: 'resync' }]);
});

test('unsubscribing closes the stream and opens no other', () => {
  const { received, stop, source } = listen();
  source().refuse();
  stop();
  vi.advanceTimersByTime(60_000);
  expect(TestSource.opened).toHaveLength(1);
  expect(received).toEqual([]);
});
