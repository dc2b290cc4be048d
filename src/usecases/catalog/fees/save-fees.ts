import type { FeeScheduleInput } from '#contract/fees.ts';
import type { Db } from '#db/client.ts';
import { deleteFees, insertFees, listFees, lockFees, type StoredFees } from '#db/queries/catalog/fees.ts';
import { insertAudit } from '#db/queries/identity/audit.ts';
import { transact } from '#db/transact.ts';
import type { Instant } from '#domain/units.ts';
import { AppError } from '#usecases/app-error.ts';
import { type Editor, madeBy } from '#usecases/editor.ts';
import { rejectUnusableFees, scheduleOf } from './check-fees.ts';

/**
 * Adds a fee schedule, or replaces a stored one under a new id: an outdated page then finds nothing to overwrite, and
 * the listings of both marketplaces become due.
 * @param id the schedule to replace; null adds
 * @returns the id of the new one
 * @throws AppError not_found when the replaced one was deleted, validation_failed, conflict
 */
export async function saveFees(
  { db, now }: { db: Db; now: () => Instant },
  id: number | null,
  input: FeeScheduleInput,
  editor: Editor,
): Promise<number> {
  const schedule = scheduleOf(input);
  return transact(db, async (tx) => {
    await lockFees(tx);
    const stored = await listFees(tx);
    const before = id === null ? null : findFees(stored, id);
    rejectUnusableFees(
      schedule,
      stored.filter((other) => other.id !== id),
    );
    if (before !== null) await deleteFees(tx, before.id);
    const saved = await insertFees(tx, schedule, editor.name, now());
    await insertAudit(tx, {
      ...madeBy(editor, now()),
      action: before === null ? 'fees.created' : 'fees.edited',
      targetKind: 'fee schedule',
      targetId: String(saved),
      ...(before === null ? {} : { before: { ...before } }),
      after: { ...schedule },
    });
    return saved;
  });
}

/** @throws AppError not_found */
export function findFees(stored: readonly StoredFees[], id: number): StoredFees {
  const found = stored.find((schedule) => schedule.id === id);
  if (found !== undefined) return found;
  throw new AppError(
    'not_found',
    'This fee schedule was changed or deleted after you opened it. Reload the page.',
  );
}
