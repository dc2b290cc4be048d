import type { FastifyBaseLogger } from 'fastify';

/**
 * Milliseconds in which signals count as one. Whoever signals a whole process group reaches us twice, since `npm start`
 * hands its signal down as well; a person who presses Ctrl+C again waits longer.
 */
const AS_ONE = 2_000;

export interface StopRequest {
  /** Resolves with the first signal that asks to stop. */
  readonly promise: Promise<void>;
  /** Resolves with a later one: whatever has not ended by then is not waited for. */
  readonly hurried: Promise<void>;
  /** Resolves with the exit code once something went wrong that nothing caught. */
  readonly failed: Promise<1>;
  readonly isRequested: () => boolean;
  /** Asks to stop, as a signal does, because something went wrong that nothing caught. */
  readonly fail: () => void;
}

/**
 * Listens for the signals that ask to stop.
 * @param signals where they are heard: this process, save in tests
 * @param clock milliseconds that never go back
 */
export function stopRequest(
  log: Pick<FastifyBaseLogger, 'info'>,
  signals: Pick<NodeJS.Process, 'on'> = process,
  clock: () => number = () => performance.now(),
): StopRequest {
  let first: number | null = null;
  let stop = (): void => undefined;
  let hurry = (): void => undefined;
  let giveUp = (): void => undefined;
  const failed = new Promise<1>((resolve) => {
    giveUp = () => resolve(1);
  });
  const promise = new Promise<void>((resolve) => {
    stop = resolve;
  });
  const hurried = new Promise<void>((resolve) => {
    hurry = resolve;
  });
  const hear = (signal: NodeJS.Signals): void => {
    if (first === null) {
      first = clock();
      log.info({ signal }, 'stopping');
      stop();
    } else if (clock() - first >= AS_ONE) {
      log.info({ signal }, 'stopping at once');
      hurry();
    }
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) signals.on(signal, hear);
  const fail = (): void => {
    first ??= clock();
    giveUp();
  };
  return { promise, hurried, failed, fail, isRequested: () => first !== null };
}
