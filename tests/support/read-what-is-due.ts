import type { SyncKind } from '#domain/sync-kinds.ts';
import { findDueSyncs, runSync } from '#usecases/marketplaces/sync/run-sync.ts';
import type { ReadingDeps, ReadingOf } from '#usecases/marketplaces/sync/sync-deps.ts';

/**
 * Reads what is due of a marketplace, one kind after the other, each once: the program reads them side by side, and a test
 * needs one order.
 * @returns whether anything was due
 */
export async function readWhatIsDue(deps: ReadingDeps, reading: ReadingOf): Promise<boolean> {
  const done = new Set<SyncKind>();
  for (;;) {
    const due = await findDueSyncs(deps, reading.connection.marketplace);
    const next = due.find(({ what }) => !done.has(what));
    if (next === undefined) return done.size > 0;
    done.add(next.what);
    await runSync(deps, reading, next);
  }
}
