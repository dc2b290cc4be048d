import { inArray, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { feeBands, feeSchedules, shippedFees } from '#db/schema/fees.ts';
import type { FeePublication } from '#domain/fees/fee-publication.ts';
import type { FeeSchedule } from '#domain/fees/fee-schedule.ts';
import type { Instant } from '#domain/units.ts';

/** A shipped schedule that was loaded once, whatever a user did with it since. */
export type LoadedFees = Pick<
  typeof shippedFees.$inferSelect,
  'marketplace' | 'category' | 'effectiveFrom' | 'content'
>;

/** What was loaded of the shipped schedules. */
export async function listLoadedFees(db: Db): Promise<LoadedFees[]> {
  return db.select().from(shippedFees);
}

/** Remembers shipped schedules as loaded. */
export async function rememberLoadedFees(tx: Db, loaded: readonly LoadedFees[], at: Instant): Promise<void> {
  if (loaded.length === 0) return;
  await tx
    .insert(shippedFees)
    .values(loaded.map((each) => ({ ...each, loadedAt: at })))
    .onConflictDoUpdate({
      target: [shippedFees.marketplace, shippedFees.category, shippedFees.effectiveFrom],
      set: { content: sql`excluded.content`, loadedAt: at },
    });
}

/**
 * Replaces schedules by published ones, with a statement for each table: every statement marks all listings of the
 * marketplaces as due.
 * @param replaced IDs of the schedules that go
 */
export async function writePublishedFees(
  tx: Db,
  replaced: readonly number[],
  schedules: readonly (FeeSchedule & { readonly publication: FeePublication })[],
  by: { readonly name: string; readonly at: Instant },
): Promise<void> {
  if (replaced.length > 0) await tx.delete(feeSchedules).where(inArray(feeSchedules.id, [...replaced]));
  if (schedules.length === 0) return;
  const { marketplace, category, effectiveFrom } = feeSchedules;
  const rows = await tx
    .insert(feeSchedules)
    .values(schedules.map((each) => ({ ...rowOf(each), createdBy: by.name, createdAt: by.at })))
    .returning({ id: feeSchedules.id, marketplace, category, effectiveFrom });
  const ids = new Map(rows.map((row) => [keyOf(row), row.id]));
  await tx.insert(feeBands).values(
    schedules.flatMap((each) => {
      const scheduleId = ids.get(keyOf(each));
      if (scheduleId === undefined) throw new Error('An insert answered no row.');
      return each.bands.map((band) => ({ ...band, scheduleId }));
    }),
  );
}

function rowOf({
  publication: { title, date, confidence, note },
  ...schedule
}: FeeSchedule & { readonly publication: FeePublication }): typeof feeSchedules.$inferInsert {
  const { marketplace, category, effectiveFrom, bandKind, edgeBase } = schedule;
  return {
    marketplace,
    category,
    effectiveFrom,
    bandKind,
    edgeBase,
    confidence,
    note,
    origin: 'shipped',
    sourceTitle: title,
    sourceDate: date,
  };
}

function keyOf({
  marketplace,
  category,
  effectiveFrom,
}: Pick<FeeSchedule, 'marketplace' | 'category' | 'effectiveFrom'>): string {
  return JSON.stringify([marketplace, category, effectiveFrom]);
}
