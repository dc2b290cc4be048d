import type { JobKind, Queue } from '#db/queue.ts';
import { checkPurgeClock } from '#usecases/background/check-purge-clock.ts';
import { purgeJobs } from '#usecases/background/purge-jobs.ts';
import { purgeFeeFacts } from '#usecases/catalog/fees/purge-fee-facts.ts';
import { purgeImports } from '#usecases/catalog/imports/purge-imports.ts';
import { purgeUnlistedSales } from '#usecases/catalog/sales/purge-unlisted-sales.ts';
import { purgeExpired } from '#usecases/identity/accounts/purge-expired.ts';
import { purgeEvents } from '#usecases/marketplaces/events/receive-event.ts';
import { purgeBoxReadings } from '#usecases/marketplaces/sync/purge-box-readings.ts';
import { thinOutOldOffers } from '#usecases/marketplaces/sync/thin-out-old-offers.ts';
import { purgeRuns } from '#usecases/repricing/engine/purge-runs.ts';
import { purgeDeliveries } from '#usecases/webhook-receivers/purge-deliveries.ts';

export const PURGE: JobKind<Record<string, never>> = { name: 'purge' };

/** What the handler needs. The clock is handed in, so that tests need not wait. */
export interface PurgeDependencies {
  readonly db: Parameters<typeof purgeExpired>[0];
  readonly now: () => Parameters<typeof purgeExpired>[1];
  /** The clock of sessions; `now` unless handed in. */
  readonly sessionClock?: () => Parameters<typeof purgeExpired>[2];
}

/** Purges at seven minutes past every hour, and on every {@link PURGE} message, unless the clock has just jumped ahead. */
export async function startPurge(
  queue: Queue,
  { db, now, sessionClock = now }: PurgeDependencies,
): Promise<void> {
  await queue.work(PURGE, async () => {
    if (!(await checkPurgeClock(db, now()))) return;
    await purgeExpired(db, now(), sessionClock());
    await purgeImports(db, now());
    await purgeRuns(db, now());
    await purgeJobs(db, now());
    await purgeEvents(db, now());
    await purgeDeliveries(db, now());
    await purgeFeeFacts(db, now());
    await purgeUnlistedSales(db, now());
    await purgeBoxReadings(db, now());
    await thinOutOldOffers(db, now());
  });
  await queue.schedule(PURGE, '7 * * * *');
}
