import { sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { feeBands, feeSchedules } from '#db/schema/fees.ts';
import type { FeeSchedule } from '#domain/fees/fee-schedule.ts';
import type { Instant } from '#domain/units.ts';

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
          bandKind: row.bandKind,
          edgeBase: row.edgeBase,
          createdAt: row.createdAt,
          createdBy: row.createdBy,
          origin: 'edited',
          sourceTitle: null,
          sourceDate: null,
          confidence: null,
          note: null,
        },
      })
      .returning({ id: feeSchedules.id });
    const scheduleId = id ?? stored?.id ?? 0;
    await db.delete(feeBands).where(sql`${feeBands.scheduleId} = ${scheduleId}`);
    await db.insert(feeBands).values(bands.map((band) => ({ ...band, scheduleId })));
  }
}
