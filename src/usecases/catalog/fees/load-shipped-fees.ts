import type { Db } from '#db/client.ts';
import { listFees, lockFees } from '#db/queries/catalog/fees.ts';
import {
  type LoadedFees,
  listLoadedFees,
  rememberLoadedFees,
  writePublishedFees,
} from '#db/queries/catalog/shipped-fees.ts';
import { insertAudit } from '#db/queries/identity/audit.ts';
import { transact } from '#db/transact.ts';
import { compileFees } from '#domain/fees/compose-fees.ts';
import type { FeeSchedule } from '#domain/fees/fee-schedule.ts';
import { categoryKey } from '#domain/fees/fee-tables.ts';
import { groupBy } from '#domain/group-by.ts';
import type { Instant } from '#domain/units.ts';
import type { ShippedSchedule } from '#files/read-shipped-fees.ts';
import { actedBy } from '#usecases/editor.ts';
import { ENGINE } from '#usecases/repricing/engine/engine-deps.ts';

/**
 * Brings the published fees of this release into the database: called at every start, writes only what is new.
 * A schedule of a user stays as it is, and one that a user has deleted does not return
 * until its published fees change. A newer schedule with a start date is added to the one before it; one without
 * replaces it, since it describes the same time better.
 * @param shipped the schedules of the seller's plans
 */
export async function loadShippedFees(
  { db, now }: { db: Db; now: () => Instant },
  shipped: readonly ShippedSchedule[],
): Promise<void> {
  // Without the lock at first: nearly every start finds nothing to load.
  if (changedSince(await listLoadedFees(db), shipped).length === 0) return;
  await transact(db, async (tx) => {
    await lockFees(tx);
    const loaded = await listLoadedFees(tx);
    const changed = changedSince(loaded, shipped);
    if (changed.length === 0) return;
    const stored = groupBy(await listFees(tx), feeKey);
    const written = changed.filter((schedule) =>
      (stored.get(feeKey(schedule)) ?? []).every(({ origin }) => origin === 'shipped'),
    );
    const replaced = written.flatMap((schedule) =>
      (stored.get(feeKey(schedule)) ?? []).filter(
        ({ effectiveFrom }) => effectiveFrom === schedule.effectiveFrom,
      ),
    );
    const ids = replaced.map(({ id }) => id);
    await writePublishedFees(tx, ids, written, { name: ENGINE.name, at: now() });
    await rememberLoadedFees(tx, changed.map(loadedOf), now());
    if (written.length === 0) return;
    await insertAudit(tx, {
      ...actedBy(ENGINE, now()),
      action: 'fees.shipped',
      after: { schedules: written.map((schedule) => compileFees(schedule).version) },
    });
  });
}

/** What the upgrade remembers of a default that a user had deleted: it never returns. */
const DELETED_BEFORE = 'deleted';

function changedSince(loaded: readonly LoadedFees[], shipped: readonly ShippedSchedule[]): ShippedSchedule[] {
  const dated = (each: Omit<LoadedFees, 'content'>): string => `${feeKey(each)}@${each.effectiveFrom ?? ''}`;
  const contents = new Map(loaded.map((each) => [dated(each), each.content]));
  return shipped.filter((schedule) => {
    const content = contents.get(dated(schedule));
    return content !== DELETED_BEFORE && content !== loadedOf(schedule).content;
  });
}

/** A shipped schedule as it is remembered. */
export function loadedOf(schedule: ShippedSchedule): LoadedFees {
  const { marketplace, category, effectiveFrom, publication } = schedule;
  const content = JSON.stringify([compileFees(schedule).version, publication]);
  return { marketplace, category, effectiveFrom, content };
}

/** Categories are not case-sensitive. */
export function feeKey({ marketplace, category }: Pick<FeeSchedule, 'marketplace' | 'category'>): string {
  return `${marketplace}/${categoryKey(category)}`;
}
