import { and, eq, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { integrations } from '#db/schema/connections.ts';
import { marketplaceSyncs, passedOverRows } from '#db/schema/marketplace-syncs.ts';
import type { SyncKind } from '#domain/connections/sync-kinds.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import type { PartialCatalog } from '#domain/readings/catalog-total.ts';
import type { PassedOverRow } from '#domain/readings/passed-over.ts';
import type { Instant } from '#domain/units.ts';

export type SyncRow = typeof marketplaceSyncs.$inferSelect;

/** The last sync of each kind. */
export function listSyncs(db: Db): Promise<SyncRow[]> {
  return db.select().from(marketplaceSyncs).orderBy(marketplaceSyncs.marketplace, marketplaceSyncs.kind);
}

export async function findSync(db: Db, marketplace: Marketplace, kind: SyncKind): Promise<SyncRow | null> {
  const [row] = await db.select().from(marketplaceSyncs).where(isOf(marketplace, kind));
  return row ?? null;
}

/** Starts a sync, without a result yet. */
export async function startSync(
  db: Db,
  marketplace: Marketplace,
  kind: SyncKind,
  now: Instant,
): Promise<void> {
  await db
    .insert(marketplaceSyncs)
    .values({ marketplace, kind, startedAt: now })
    .onConflictDoUpdate({
      target: [marketplaceSyncs.marketplace, marketplaceSyncs.kind],
      set: { startedAt: now, endedAt: null },
    });
}

/** Ends a sync, with counts or with an error. */
export async function finishSync(
  db: Db,
  marketplace: Marketplace,
  kind: SyncKind,
  end: {
    readonly startedAt: Instant;
    readonly endedAt: Instant;
    readonly counts: Readonly<Record<string, number>>;
    readonly problem: string | null;
    readonly notes?: readonly string[];
    /** Absent when the reading did not come to its end: what is known about the total stays. */
    readonly partial?: PartialCatalog | null | undefined;
    /** False for an interrupted one: changes before it may not have been synced. */
    readonly isWhole: boolean;
  },
): Promise<void> {
  const { startedAt, endedAt, counts, problem, notes = [], partial, isWhole } = end;
  await db
    .update(marketplaceSyncs)
    .set({
      endedAt,
      counts,
      problem,
      notes,
      ...(partial === undefined ? {} : { partial }),
      ...(isWhole ? { succeededAt: startedAt } : {}),
    })
    .where(isOf(marketplace, kind));
}

/** Replaces the rows that the last reading of a kind passed over. */
export async function writePassedOver(
  tx: Db,
  marketplace: Marketplace,
  kind: SyncKind,
  rows: readonly PassedOverRow[],
): Promise<void> {
  await tx
    .delete(passedOverRows)
    .where(and(eq(passedOverRows.marketplace, marketplace), eq(passedOverRows.kind, kind)));
  if (rows.length === 0) return;
  await tx
    .insert(passedOverRows)
    .values(rows.map((row, position) => ({ ...row, marketplace, kind, position })));
}

/** The rows that the last readings of a marketplace passed over, by kind and in the order of the reading. */
export function listPassedOver(
  db: Db,
  marketplace: Marketplace,
): Promise<(PassedOverRow & { readonly kind: SyncKind })[]> {
  const { kind, what, why, member, value } = passedOverRows;
  return db
    .select({ kind, what, why, member, value })
    .from(passedOverRows)
    .where(eq(passedOverRows.marketplace, marketplace))
    .orderBy(passedOverRows.kind, passedOverRows.position);
}

/** When a full sync of each marketplace was last requested; marketplaces without a request are omitted. */
export async function listFullSyncRequests(db: Db): Promise<ReadonlyMap<Marketplace, Instant>> {
  const rows = await db
    .select({ marketplace: integrations.marketplace, requestedAt: integrations.syncRequestedAt })
    .from(integrations);
  return new Map(
    rows.flatMap(({ marketplace, requestedAt }) =>
      requestedAt === null ? [] : [[marketplace, requestedAt]],
    ),
  );
}

/** Serializes requests for a sync of this marketplace, so that concurrent ones become one. */
export async function lockFullSyncRequest(tx: Db, marketplace: Marketplace): Promise<void> {
  await tx
    .select({ found: sql`1` })
    .from(integrations)
    .where(eq(integrations.marketplace, marketplace))
    .for('no key update');
}

export async function writeFullSyncRequest(tx: Db, marketplace: Marketplace, now: Instant): Promise<void> {
  await tx
    .update(integrations)
    .set({ syncRequestedAt: now })
    .where(eq(integrations.marketplace, marketplace));
}

function isOf(marketplace: Marketplace, kind: SyncKind) {
  return and(eq(marketplaceSyncs.marketplace, marketplace), eq(marketplaceSyncs.kind, kind));
}
