import { and, eq, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { marketplaceSyncs } from '#db/schema/marketplace-syncs.ts';
import { integrations } from '#db/schema/settings.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import type { SyncKind } from '#domain/sync-kinds.ts';
import type { Instant } from '#domain/units.ts';

export type ReadRow = typeof marketplaceSyncs.$inferSelect;

/** The last reading of each kind that there was one of. */
export function listReads(db: Db): Promise<ReadRow[]> {
  return db.select().from(marketplaceSyncs).orderBy(marketplaceSyncs.marketplace, marketplaceSyncs.kind);
}

export async function findRead(db: Db, marketplace: Marketplace, what: SyncKind): Promise<ReadRow | null> {
  const [row] = await db.select().from(marketplaceSyncs).where(isOf(marketplace, what));
  return row ?? null;
}

/** A reading begins: how it ends is not known yet. */
export async function beginRead(
  db: Db,
  marketplace: Marketplace,
  what: SyncKind,
  now: Instant,
): Promise<void> {
  await db
    .insert(marketplaceSyncs)
    .values({ marketplace, kind: what, startedAt: now })
    .onConflictDoUpdate({
      target: [marketplaceSyncs.marketplace, marketplaceSyncs.kind],
      set: { startedAt: now, endedAt: null },
    });
}

/** A reading has ended: with counts, or with what went wrong. */
export async function endRead(
  db: Db,
  marketplace: Marketplace,
  what: SyncKind,
  end: {
    readonly startedAt: Instant;
    readonly endedAt: Instant;
    readonly counts: Readonly<Record<string, number>>;
    readonly problem: string | null;
    /** False for one that was broken off: what happened before it may be unread. */
    readonly isWhole: boolean;
  },
): Promise<void> {
  const { startedAt, endedAt, counts, problem, isWhole } = end;
  await db
    .update(marketplaceSyncs)
    .set({ endedAt, counts, problem, ...(isWhole ? { succeededAt: startedAt } : {}) })
    .where(isOf(marketplace, what));
}

/** When somebody last asked for a whole reading of each marketplace; those that nobody asked for are left out. */
export async function listReadRequests(db: Db): Promise<ReadonlyMap<Marketplace, Instant>> {
  const rows = await db
    .select({ marketplace: integrations.marketplace, askedAt: integrations.syncRequestedAt })
    .from(integrations);
  return new Map(
    rows.flatMap(({ marketplace, askedAt }) => (askedAt === null ? [] : [[marketplace, askedAt]])),
  );
}

/** Waits for others who ask for a reading of this marketplace, so that one request is made of theirs and ours. */
export async function lockReadRequest(tx: Db, marketplace: Marketplace): Promise<void> {
  await tx
    .select({ found: sql`1` })
    .from(integrations)
    .where(eq(integrations.marketplace, marketplace))
    .for('no key update');
}

export async function writeReadRequest(tx: Db, marketplace: Marketplace, now: Instant): Promise<void> {
  await tx
    .update(integrations)
    .set({ syncRequestedAt: now })
    .where(eq(integrations.marketplace, marketplace));
}

function isOf(marketplace: Marketplace, what: SyncKind) {
  return and(eq(marketplaceSyncs.marketplace, marketplace), eq(marketplaceSyncs.kind, what));
}
