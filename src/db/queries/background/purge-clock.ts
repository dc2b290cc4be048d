import type { Db } from '#db/client.ts';
import { purgeClock } from '#db/schema/purge-clock.ts';
import type { PurgeClock } from '#domain/time/purge-clock.ts';

/** Locked until the end of the transaction; null before the first purge. */
export async function lockPurgeClock(tx: Db): Promise<PurgeClock | null> {
  const { seenAt, jumpedAt } = purgeClock;
  const [row] = await tx.select({ seenAt, jumpedAt }).from(purgeClock).for('update');
  return row ?? null;
}

export async function writePurgeClock(tx: Db, clock: PurgeClock): Promise<void> {
  await tx.insert(purgeClock).values(clock).onConflictDoUpdate({ target: purgeClock.id, set: clock });
}
