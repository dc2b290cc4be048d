import type { Db } from '#db/client.ts';
import { limitFutureTimes } from '#db/queries/background/future-times.ts';
import { lockPurgeClock, writePurgeClock } from '#db/queries/background/purge-clock.ts';
import { transact } from '#db/transact.ts';
import { nextPurgeClock } from '#domain/time/purge-clock.ts';
import type { Instant } from '#domain/units.ts';

/**
 * Ends the waits that a clock that was ahead has begun, and looks at the clock before anything is deleted by it: one that is
 * far ahead would take what has not run out.
 * @returns whether to delete
 */
export async function checkPurgeClock(db: Db, now: Instant): Promise<boolean> {
  const clock = await transact(db, async (tx) => {
    const next = nextPurgeClock(await lockPurgeClock(tx), now);
    await writePurgeClock(tx, next);
    return next;
  });
  await limitFutureTimes(db, now);
  return clock.jumpedAt === null;
}
