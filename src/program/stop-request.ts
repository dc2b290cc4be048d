import type { FastifyBaseLogger } from 'fastify';

/** Resolves with the first signal that asks to stop; the second ends the process at once. */
export function stopRequest(log: FastifyBaseLogger): { promise: Promise<void>; isRequested: () => boolean } {
  let requested = false;
  const promise = new Promise<void>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
      process.on(signal, () => {
        if (requested) process.exit(1);
        requested = true;
        log.info({ signal }, 'stopping');
        resolve();
      });
    }
  });
  return { promise, isRequested: () => requested };
}
