import type { JobKind, Queue } from '#db/queue.ts';
import { queueWeeklyEmails } from '#usecases/catalog/sales/queue-weekly-emails.ts';
import { queueDailyEmails } from '#usecases/repricing/alerts/queue-daily-emails.ts';
import { updateAlerts, type WatchDeps } from '#usecases/repricing/alerts/update-alerts.ts';

export const WATCH: JobKind<Record<string, never>> = { name: 'watch' };
export const DIGEST: JobKind<Record<string, never>> = { name: 'digest' };

export const WEEKLY: JobKind<Record<string, never>> = { name: 'weekly' };

/** Checks every minute what users must know, and summarizes each day at 6:00 UTC, and on Mondays the week. */
export async function startWatch(queue: Queue, deps: WatchDeps): Promise<void> {
  await queue.work(WATCH, () => updateAlerts(deps));
  await queue.work(DIGEST, () => queueDailyEmails(deps));
  await queue.work(WEEKLY, () => queueWeeklyEmails(deps));
  await queue.schedule(WATCH, '* * * * *');
  await queue.schedule(DIGEST, '0 6 * * *');
  // A Monday on which the program did not run at 6:00 is made up for.
  await queue.schedule(WEEKLY, '0 * * * *');
}
