import { and, eq } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { marketplaceReads, type Read } from '#db/schema/marketplace-reads.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import type { Instant } from '#domain/units.ts';

export type ReadRow = typeof marketplaceReads.$inferSelect;

/** The last reading of each kind that there was one of. */
export function listReads(db: Db): Promise<ReadRow[]> {
  return db.select().from(marketplaceReads).orderBy(marketplaceReads.marketplace, marketplaceReads.what);
}

export async function findRead(db: Db, marketplace: Marketplace, what: Read): Promise<ReadRow | null> {
  const [row] = await db.select().from(marketplaceReads).where(isOf(marketplace, what));
  return row ?? null;
}

/** A reading begins: how it ends is not known yet. */
export async function beginRead(db: Db, marketplace: Marketplace, what: Read, now: Instant): Promise<void> {
  await db
    .insert(marketplaceReads)
    .values({ marketplace, what, beganAt: now })
    .onConflictDoUpdate({
      target: [marketplaceReads.marketplace, marketplaceReads.what],
      set: { beganAt: now, endedAt: null },
    });
}

/** A reading has ended: with counts, or with what went wrong. */
export async function endRead(
  db: Db,
  marketplace: Marketplace,
  what: Read,
  end: {
    readonly beganAt: Instant;
    readonly endedAt: Instant;
    readonly counts: Readonly<Record<string, number>>;
    readonly problem: string | null;
  },
): Promise<void> {
  const { beganAt, endedAt, counts, problem } = end;
  await db
    .update(marketplaceReads)
    .set({ endedAt, counts, problem, ...(problem === null ? { succeededAt: beganAt } : {}) })
    .where(isOf(marketplace, what));
}

function isOf(marketplace: Marketplace, what: Read) {
  return and(eq(marketplaceReads.marketplace, marketplace), eq(marketplaceReads.what, what));
}
