import { SYNC_KINDS, type SyncKind } from '#domain/connections/sync-kinds.ts';
import type { SyncDeps, SyncSource } from '#usecases/marketplaces/sync/sync-deps.ts';
import { findDueSyncs, runSync } from '#usecases/marketplaces/sync/sync-loop.ts';

/**
 * Reads what is due of a marketplace, one kind after the other, each once: the program reads them side by side, and a test
 * needs one order.
 * @returns whether anything was due
 */
export async function syncWhatIsDue(
  deps: SyncDeps,
  source: SyncSource,
  kinds: ReadonlySet<SyncKind> = new Set(SYNC_KINDS),
): Promise<boolean> {
  const done = new Set<SyncKind>();
  for (;;) {
    const due = await findDueSyncs(deps, source.connection.marketplace);
    const next = due.find(({ kind }) => kinds.has(kind) && !done.has(kind));
    if (next === undefined) return done.size > 0;
    done.add(next.kind);
    await runSync(deps, source, next);
  }
}
