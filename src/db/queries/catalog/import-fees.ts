import { asc, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { feeBands, feeSchedules } from '#db/schema/fees.ts';
import { type FeeSchedule, PLAIN_BAND } from '#domain/fees/fee-schedule.ts';
import type { Instant } from '#domain/units.ts';

export type StoredSchedule = FeeSchedule & { readonly id: number };

/** Every fee schedule with its bands. @param lock locks them against changes until the transaction ends */
export async function listSchedules(db: Db, lock: boolean): Promise<StoredSchedule[]> {
  if (lock) await db.execute(sql`LOCK TABLE fee_schedules IN SHARE ROW EXCLUSIVE MODE`);
  const schedules = await db.select().from(feeSchedules).orderBy(asc(feeSchedules.id));
  const bands = await db
    .select()
    .from(feeBands)
    .orderBy(sql`${feeBands.scheduleId}, ${feeBands.upTo} nulls last`);
  return schedules.map(({ id, marketplace, category, effectiveFrom, bandKind }) => ({
    id,
    marketplace,
    category,
    effectiveFrom,
    bandKind,
    edgeBase: 'revenue',
    bands: bands
      .filter(({ scheduleId }) => scheduleId === id)
      .map(({ upTo, percent, fixed, minimum }) => ({ ...PLAIN_BAND, upTo, percent, fixed, minimum })),
  }));
}

/** Replaces schedules that have an ID and adds the others, each with its bands. */
export async function writeSchedules(
  db: Db,
  schedules: readonly (FeeSchedule & { readonly id: number | null })[],
  by: { readonly name: string; readonly at: Instant },
): Promise<void> {
  for (const { id, bands, ...schedule } of schedules) {
    const row = { ...schedule, createdAt: by.at, createdBy: by.name };
    const [stored] = await db
      .insert(feeSchedules)
      .values(row)
      // Also if only a band differs: the update marks the listings as due.
      .onConflictDoUpdate({
        target: [feeSchedules.marketplace, feeSchedules.category, feeSchedules.effectiveFrom],
        set: {
          ...{ bandKind: row.bandKind, createdAt: row.createdAt, createdBy: row.createdBy },
          ...{ origin: 'edited', sourceTitle: null, sourceDate: null, confidence: null, note: null },
        },
      })
      .returning({ id: feeSchedules.id });
    const scheduleId = id ?? stored?.id ?? 0;
    await db.delete(feeBands).where(sql`${feeBands.scheduleId} = ${scheduleId}`);
    await db.insert(feeBands).values(bands.map((band) => ({ ...band, scheduleId })));
  }
}
