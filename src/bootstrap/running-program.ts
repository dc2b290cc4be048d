import type { FastifyBaseLogger } from 'fastify';
import { type Instant, instant } from '#domain/units.ts';
import type { Config } from '#src/config.ts';
import type { Tracing } from './tracing.ts';

/** Something to close, in reverse order of opening. */
type Closer = () => Promise<void> | void;

/** A running program: its configuration, its log, and what it must close. */
export interface Running {
  readonly config: Config;
  readonly log: FastifyBaseLogger;
  /** Not set: there are no traces. */
  readonly tracing?: Tracing;
  readonly closers: Closer[];
  /** What is ended after those, and even when there is no time for them: nothing of it may outlive the process. */
  readonly lastClosers: Closer[];
}

/** The clock. Every layer below gets it as an argument. */
export function now(): Instant {
  return instant(Date.now());
}

/** Milliseconds. A supervisor usually kills after ten seconds, and the database server needs some of them. */
const SHUTDOWN_TIMEOUT = 8_000;

/**
 * Closes everything that was opened, in reverse order, whatever fails on the way.
 * @param hurried resolves when waiting must end, except for the last closers
 * @param limit milliseconds after which waiting ends too
 * @returns whether everything closed cleanly
 */
export async function closeAll(
  { log, closers, lastClosers }: Running,
  hurried: Promise<void> = new Promise(() => undefined),
  limit = SHUTDOWN_TIMEOUT,
): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const isLate = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, limit);
  });
  const cutOff = Promise.race([hurried, isLate]).then(() => {
    log.error('shutdown timed out; some work did not end');
    return false;
  });
  const inOrder = await Promise.race([closeEach(log, closers), cutOff]);
  clearTimeout(timer);
  return (await closeEach(log, lastClosers)) && inOrder;
}

async function closeEach(log: FastifyBaseLogger, closers: readonly Closer[]): Promise<boolean> {
  let clean = true;
  for (const close of closers.toReversed()) {
    try {
      await close();
    } catch (error) {
      clean = false;
      log.error({ err: error }, 'shutdown failed');
    }
  }
  return clean;
}
