import type { Lease } from '#db/queries/background/leases.ts';
import { type Millis, seconds } from '#domain/units.ts';
import type { HeldLease } from './lease.ts';

const RENEW_EVERY = seconds(10);

/** Calls back again and again until the returned function is called. */
export type Every = (time: Millis, action: () => void) => () => void;

const byTimer: Every = (time, action) => {
  const timer = setInterval(action, time);
  return () => clearInterval(timer);
};

/** Another process has the lease now: this one must end its work and record nothing of it. */
export class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError';
}

/**
 * Holds a lease for as long as a work of many minutes takes.
 * @param work gets the lease, and a signal that is aborted when the lease is lost or the process shuts down
 * @returns null while another process holds the lease
 */
export async function workUnderLease<Result>(
  held: HeldLease,
  stopping: AbortSignal,
  work: (lease: Lease, signal: AbortSignal) => Promise<Result>,
  every: Every = byTimer,
): Promise<Result | null> {
  const lease = await held.acquire();
  if (lease === null) return null;
  const ending = new AbortController();
  const end = (): void => ending.abort(stopping.reason);
  if (stopping.aborted) end();
  else stopping.addEventListener('abort', end, { once: true });
  const renew = async (): Promise<void> => {
    // While the database cannot be reached, the lease may still be ours; the work itself fails then.
    const renewed = await held.acquire().catch(() => lease);
    if (renewed?.fence !== lease.fence) ending.abort(new LeaseLostError('Another process took over.'));
  };
  const stop = every(RENEW_EVERY, () => void renew());
  try {
    return await work(lease, ending.signal);
  } finally {
    stop();
    stopping.removeEventListener('abort', end);
    await held.release().catch(() => undefined);
  }
}
