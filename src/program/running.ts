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

/**
 * Ends everything that was opened, the latest first, whatever fails on the way.
 * @returns whether all of it ended cleanly
 */
export async function closeAll({ log, closers }: Running): Promise<boolean> {
  let clean = true;
  for (const close of closers.reverse()) {
    try {
      await close();
    } catch (error) {
      clean = false;
      log.error({ err: error }, 'could not stop cleanly');
    }
  }
  return clean;
}
