import type { FastifyBaseLogger } from 'fastify';
import { type Instant, instant } from '#domain/units.ts';
import type { Config } from '#src/config.ts';

/** Something that must be ended, the latest first. */
type Closer = () => Promise<void> | void;

/** A program under way: what it was told, where it logs, and what it has to end. */
export interface Running {
  readonly config: Config;
  readonly log: FastifyBaseLogger;
  readonly closers: Closer[];
  /** What is ended after those, and even when there is no time for them: nothing of it may outlive the process. */
  readonly lastClosers: Closer[];
}

/** A mistake of whoever starts us: the message is all they need. */
export class StartError extends Error {
  readonly exitCode: number;
  constructor(message: string, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** The clock. Every layer below gets it as an argument. */
export function now(): Instant {
  return instant(Date.now());
}

/** Milliseconds. Whoever asks to stop usually kills after ten seconds, and the database server needs some of them. */
const IN_ORDER = 8_000;

/**
 * Ends everything that was opened, the latest first, whatever fails on the way.
 * @param hurried resolves when it is not to be waited for any longer, the last closers aside
 * @param limit milliseconds after which it is not waited for either
 * @returns whether all of it ended cleanly
 */
export async function closeAll(
  { log, closers, lastClosers }: Running,
  hurried: Promise<void> = new Promise(() => undefined),
  limit = IN_ORDER,
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
