import type { Db } from '#db/client.ts';
import { takeWeeklySummaries } from '#db/queries/identity/users.ts';
import { transact } from '#db/transact.ts';
import { mondayOf } from '#domain/time/week.ts';
import { hours, type Instant } from '#domain/units.ts';
import { type EmailDeps, queueStoreEmail } from '#usecases/identity/email/queued-email.ts';

/** Of a Monday in UTC, when the daily summary is sent too. */
const FROM = hours(6);

/**
 * Queues the email about last week for every user who wants it, from Monday at 6:00 UTC on. Once a week for each user,
 * however often it is called; after a Monday without the program at the next call.
 */
export async function queueWeeklyEmails(
  deps: Pick<EmailDeps, 'queue' | 'home'> & { readonly db: Db; readonly now: () => Instant },
): Promise<void> {
  const monday = mondayOf((deps.now() - FROM) as Instant);
  await transact(deps.db, async (tx) => {
    for (const id of await takeWeeklySummaries(tx, new Date(monday).toISOString().slice(0, 10))) {
      await queueStoreEmail(tx, deps, { mail: 'weekly', monday }, id);
    }
  });
}
