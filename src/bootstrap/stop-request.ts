import type { FastifyBaseLogger } from 'fastify';

/**
 * Milliseconds in which signals count as one. A signal to the whole process group arrives twice, since `npm start`
 * passes its signal on as well; a user who presses Ctrl+C again takes longer.
 */
const SAME_SIGNAL_PERIOD = 2_000;

export interface StopRequest {
  /** Resolves with the first signal that requests a stop. */
  readonly promise: Promise<void>;
  /** Resolves with a later signal: what has not ended by then is not waited for. */
  readonly hurried: Promise<void>;
  /** Resolves with the exit code after an uncaught error. */
  readonly failed: Promise<1>;
  readonly isRequested: () => boolean;
  /** Requests a stop, as a signal does, after an uncaught error. */
  readonly fail: () => void;
}

/**
 * Listens for the signals that request a stop.
 * @param signals where they are received: this process, except in tests
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
    } else if (clock() - first >= SAME_SIGNAL_PERIOD) {
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
