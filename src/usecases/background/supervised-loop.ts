import { backoffAfter } from './backoff.ts';
import { createWakeSignal } from './wake-signal.ts';

const MAX_WAIT = 60_000;

/** What a loop gets from the process that runs it. */
export interface LoopHost {
  /** Aborted when the process wants to end. */
  readonly stopping: AbortSignal;
  /** Resolves after so many milliseconds, or earlier when there may be work or the process wants to end. */
  wait(most: number): Promise<void>;
  /** The same, but no work cuts it short: a wait after an error would be none. */
  rest(time: number): Promise<void>;
}

/** Background work that one process at a time does, piece by piece, for as long as it runs. */
export interface LoopTask {
  /** Milliseconds until the next turn when nothing wakes the loop; after errors it doubles, up to a minute. */
  readonly idleWait: number;
  /** Does one piece of work if this process holds the right to. Called again at once after "worked". */
  turn(host: LoopHost): Promise<'worked' | 'idle'>;
  /** Reports a failed turn, and drops what it may have left half done. */
  onError(error: unknown): Promise<void> | void;
  /** Gives up what it holds for other processes. Called once, at the end. */
  release(): Promise<void>;
}

/** A loop that was started. */
export interface RunningLoop {
  /** There may be something to do: the next turn begins now. */
  wake(): void;
  /** Ends it after the turn under way. */
  stop(): Promise<void>;
}

/** Runs a task until the process wants to end. It never fails: errors are reported, and retried with growing waits. */
export async function runLoop(task: LoopTask, host: LoopHost): Promise<void> {
  let failures = 0;
  while (!host.stopping.aborted) {
    try {
      const outcome = await task.turn(host);
      failures = 0;
      if (outcome === 'idle' && !host.stopping.aborted) await host.wait(task.idleWait);
    } catch (error) {
      failures++;
      await task.onError(error);
      await host.rest(backoffAfter(failures, task.idleWait, MAX_WAIT));
    }
  }
  // What cannot be given up, since the database is away, ends by time.
  await task.release().catch(() => undefined);
}

/**
 * Starts a loop.
 * @param longestWait in milliseconds; tests look more often than needed
 */
export function startLoop(task: LoopTask, longestWait = Number.POSITIVE_INFINITY): RunningLoop {
  const stopping = new AbortController();
  const work = createWakeSignal();
  const end = createWakeSignal();
  const done = runLoop(task, {
    stopping: stopping.signal,
    wait: (most) => work.wait(Math.min(most, longestWait)),
    rest: (time) => end.wait(Math.min(time, longestWait)),
  });
  return {
    wake: () => work.wake(),
    stop: async () => {
      stopping.abort();
      work.wake();
      end.wake();
      await done;
    },
  };
}

/** Starts loops that do not wait for each other: one that hangs delays no other. */
export function startLoops(tasks: readonly LoopTask[], longestWait?: number): RunningLoop {
  const loops = tasks.map((task) => startLoop(task, longestWait));
  return {
    wake: () => {
      for (const loop of loops) loop.wake();
    },
    stop: async () => {
      await Promise.all(loops.map((loop) => loop.stop()));
    },
  };
}
