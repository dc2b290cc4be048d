import type { Db } from '#db/client.ts';
import { readToday } from '#db/queries/catalog/shop-days.ts';
import { takeWeeklySummaries } from '#db/queries/identity/users.ts';
import { transact } from '#db/transact.ts';
import { mondayOf } from '#domain/time/week.ts';
import { hours, type Instant, instant } from '#domain/units.ts';
import { type EmailDeps, queueStoreEmail } from '#usecases/email/queued-email.ts';

/** Of a Monday where the shop is. */
const FROM = hours(6);

/**
 * Queues the email about last week for every user who wants it, from Monday at 6:00 where the shop is. Once a week for each user,
 * however often it is called; after a Monday without the program at the next call.
 */
export async function queueWeeklyEmails(
  deps: Pick<EmailDeps, 'queue' | 'home'> & { readonly db: Db; readonly now: () => Instant },
): Promise<void> {
  await transact(deps.db, async (tx) => {
    const monday = mondayOf(await readToday(tx, (deps.now() - FROM) as Instant));
    for (const id of await takeWeeklySummaries(tx, monday)) {
      await queueStoreEmail(tx, deps, { mail: 'weekly', monday: instant(Date.parse(monday)) }, id);
    }
  });
}
