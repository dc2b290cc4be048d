import { backoffAfter } from './backoff.ts';
import { createWakeSignal } from './wake-signal.ts';

const MAX_WAIT = 60_000;

/** What a loop gets from the process that runs it. */
export interface LoopHost {
  /** Aborted when the process shuts down. */
  readonly stopping: AbortSignal;
  /** Resolves after a number of milliseconds, or earlier when there may be work or the process shuts down. */
  wait(most: number): Promise<void>;
  /** The same, but not shortened by work: a backoff after an error. */
  rest(time: number): Promise<void>;
}

/** Background work of one process at a time, in small turns, for as long as the process runs. */
export interface LoopTask {
  /** Milliseconds until the next turn without a wake; after errors it doubles, up to a minute. */
  readonly idleWait: number;
  /** Does one unit of work if this process holds the lease or lock. Called again at once after "worked". */
  turn(host: LoopHost): Promise<'worked' | 'idle'>;
  /** Reports a failed turn, and discards unfinished state. */
  onError(error: unknown): Promise<void> | void;
  /** Releases what it holds for other processes. Called once, at the end. */
  release(): Promise<void>;
}

/** A loop that was started. */
export interface RunningLoop {
  /** There may be work: the next turn starts now. */
  wake(): void;
  /** Ends it after the current turn. */
  stop(): Promise<void>;
}

/** Runs a task until the process shuts down. It never throws: errors are reported, and retried with backoff. */
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
  // What cannot be released, because the database is unavailable, expires.
  await task.release().catch(() => undefined);
}

/** Starts a loop. @param longestWait in milliseconds; tests poll more often than needed */
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

/** Starts loops that do not block each other. */
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
