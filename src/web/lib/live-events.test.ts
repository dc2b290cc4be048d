import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { LiveEvent } from '#contract/events.ts';
import { listenToLiveEvents } from './live-events.ts';

/** A stream whose messages the test sends. */
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
  const heard: LiveEvent[] = [];
  const onRefused = vi.fn();
  const stop = listenToLiveEvents({ onEvent: (event) => heard.push(event), onRefused });
  stops.push(stop);
  const source = (at = 0): TestSource => {
    const found = TestSource.opened[at];
    if (found === undefined) throw new Error(`stream ${at} was not opened`);
    return found;
  };
  return { heard, onRefused, stop, source };
}

test('the resync that begins the first stream is no news; one after a lost connection is', () => {
  const { heard, source } = listen();
  source().send({ kind: 'resync' });
  source().send(CHANGED);
  source().send({ kind: 'resync' });
  expect(heard).toEqual([CHANGED, { kind: 'resync' }]);
});

test('what a newer server says and this page does not know is left out', () => {
  const { heard, source } = listen();
  source().send({ kind: 'party' });
  source().onmessage?.({ data: 'not JSON' });
  source().send(CHANGED);
  expect(heard).toEqual([CHANGED]);
});

test('a refused stream asks after the session and is opened again later', () => {
  const { heard, onRefused, source } = listen();
  source().refuse();
  expect(onRefused).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(29_000);
  expect(TestSource.opened).toHaveLength(1);
  vi.advanceTimersByTime(1_000);
  source(1).send({ kind: 'resync' });
  expect(heard).toEqual([{ kind: 'resync' }]);
});

test('whoever stops listening closes the stream and opens no other', () => {
  const { heard, stop, source } = listen();
  source().refuse();
  stop();
  vi.advanceTimersByTime(60_000);
  expect(TestSource.opened).toHaveLength(1);
  expect(heard).toEqual([]);
});
