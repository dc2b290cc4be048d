import type { JobKind, Queue } from '#db/queue.ts';
import { orderDigest } from '#usecases/repricing/alerts/order-digest.ts';
import { updateAlerts, type WatchDeps } from '#usecases/repricing/alerts/update-alerts.ts';

export const WATCH: JobKind<Record<string, never>> = { name: 'watch' };
export const DIGEST: JobKind<Record<string, never>> = { name: 'digest' };

/** Looks every minute at what people have to know of, and sums up each day at six in the morning, UTC. */
export async function startWatch(queue: Queue, deps: WatchDeps): Promise<void> {
  await queue.work(WATCH, () => updateAlerts(deps));
  await queue.work(DIGEST, () => orderDigest(deps));
  await queue.schedule(WATCH, '* * * * *');
  await queue.schedule(DIGEST, '0 6 * * *');
}
