import { expect, test } from 'vitest';
import { recordingHost } from '#tests/support/loop-host.ts';
import { type LoopTask, runLoop, startLoop, startLoops } from './supervised-loop.ts';

/** A task with these turns, idle afterwards. */
function playing(turns: readonly ('worked' | 'idle' | Error)[]): LoopTask & { readonly log: string[] } {
  const left = [...turns];
  const log: string[] = [];
  return {
    log,
    idleWait: 1_000,
    turn: async () => {
      const next = left.shift() ?? 'idle';
      log.push(next instanceof Error ? 'failed' : next);
      if (next instanceof Error) throw next;
      return next;
    },
    onError: (error) => {
      log.push(String(error));
    },
    release: async () => {
      log.push('released');
    },
  };
}

test('continues at once after work, waits when idle, and releases what it holds at the end', async () => {
  const task = playing(['worked', 'worked', 'idle', 'worked']);
  const host = recordingHost(({ waits }) => waits.length === 2);
  await runLoop(task, host);
  expect(task.log).toEqual(['worked', 'worked', 'idle', 'worked', 'idle', 'released']);
  expect(host.waits).toEqual([1_000, 1_000]);
});

test('errors are reported and retried with a backoff up to a minute, which success resets', async () => {
  const failed = new Error('away');
  const task = playing([...Array(8).fill(failed), 'worked', failed]);
  const host = recordingHost(({ rests }) => rests.length === 9);
  await runLoop(task, host);
  expect(host.rests).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 1_000]);
  expect(task.log.filter((line) => line === 'Error: away')).toHaveLength(9);
});

test('a failed release does not keep the process from ending', async () => {
  const task = { ...playing([]), release: () => Promise.reject(new Error('away')) };
  await runLoop(
    task,
    recordingHost(() => true),
  );
  expect(task.log).toEqual(['idle']);
});

test('a wake starts the next turn, but does not shorten a backoff; the end shortens both', async () => {
  const idle = playing([]);
  const broken = playing(Array(3).fill(new Error('away')));
  const running = startLoops([idle, broken]);
  running.wake();
  await expect.poll(() => idle.log.length).toBe(2);
  await running.stop();
  expect(idle.log).toEqual(['idle', 'idle', 'released']);
  expect(broken.log).toEqual(['failed', 'Error: away', 'released']);
});

test('a stopped loop has no further turn', async () => {
  const task = playing(Array(1_000).fill('worked'));
  const running = startLoop(task);
  await running.stop();
  const { length } = task.log;
  running.wake();
  expect(task.log).toHaveLength(length);
  expect(task.log.at(-1)).toBe('released');
});
