import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { createLogger } from '#server/logger.ts';
import { closeAll, type Running } from '#src/bootstrap/running-program.ts';
import { stopRequest } from '#src/bootstrap/stop-request.ts';
import { readConfig } from '#src/config.ts';

const log = createLogger('silent');

function listening() {
  const signals = new EventEmitter();
  const clock = { now: 5_000 };
  const stop = stopRequest(log, signals as unknown as NodeJS.Process, () => clock.now);
  const received: string[] = [];
  void stop.promise.then(() => received.push('stop'));
  void stop.hurried.then(() => received.push('hurry'));
  const after = async (ms: number, signal: string): Promise<string[]> => {
    clock.now += ms;
    signals.emit(signal, signal);
    await new Promise(setImmediate);
    return received;
  };
  return { stop, after };
}

test('signals within two seconds count as one, a later one requests a fast stop', async () => {
  const { stop, after } = listening();
  expect(stop.isRequested()).toBe(false);
  expect(await after(0, 'SIGTERM')).toEqual(['stop']);
  expect(stop.isRequested()).toBe(true);
  expect(await after(0, 'SIGTERM')).toEqual(['stop']);
  expect(await after(1_999, 'SIGHUP')).toEqual(['stop']);
  expect(await after(1, 'SIGINT')).toEqual(['stop', 'hurry']);
});

test('a fatal error requests a stop as a signal does, and a later signal requests a fast stop', async () => {
  const { stop, after } = listening();
  stop.fail();
  expect(stop.isRequested()).toBe(true);
  expect(await stop.failed).toBe(1);
  expect(await after(1_999, 'SIGTERM')).toEqual([]);
  expect(await after(1, 'SIGTERM')).toEqual(['hurry']);
});

/** A running program that closes its database server last. */
function underWay(close: () => Promise<void> | void): { running: Running; ended: string[] } {
  const read = readConfig({});
  if (!read.ok) throw new Error(read.problems.join());
  const ended: string[] = [];
  const running = {
    config: read.config,
    log,
    closers: [() => void ended.push('first'), close],
    lastClosers: [() => void ended.push('database server')],
  };
  return { running, ended };
}
const hanging = new Promise<void>(() => undefined);

type Ending = readonly [string, () => Promise<void> | void, Promise<void>, number, boolean, string[]];
const ENDINGS: readonly Ending[] = [
  ['all goes well', () => undefined, hanging, 60_000, true, ['first', 'database server']],
  [
    'something fails',
    () => Promise.reject(new Error('no')),
    hanging,
    60_000,
    false,
    ['first', 'database server'],
  ],
  [
    'something hangs and a second request hurries',
    () => hanging,
    Promise.resolve(),
    60_000,
    false,
    ['database server'],
  ],
  ['something hangs past the limit', () => hanging, hanging, 1, false, ['database server']],
];

test.each(ENDINGS)(
  'the database server is stopped when %s',
  async (_, close, hurried, limit, isClean, all) => {
    const { running, ended } = underWay(close);
    expect(await closeAll(running, hurried, limit)).toBe(isClean);
    expect(ended).toEqual(all);
  },
);
