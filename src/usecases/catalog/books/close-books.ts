import type { Db } from '#db/client.ts';
import {
  isProfitDue,
  lockClosedDay,
  readClosedDay,
  readOpenBooks,
  reopenDays,
  writeClosedDay,
} from '#db/queries/catalog/closed-books.ts';
import { readToday } from '#db/queries/catalog/shop-days.ts';
import { insertAudit } from '#db/queries/identity/audit.ts';
import { transact } from '#db/transact.ts';
import type { Instant } from '#domain/units.ts';
import { AppError } from '#usecases/app-error.ts';
import { type Editor, madeBy } from '#usecases/editor.ts';

/**
 * What is still open of the days that closing until a day would close.
 * @throws AppError validation_failed for a day that cannot be closed
 */
export async function openBooks(db: Db, day: string, now: Instant) {
  const closedUntil = await readClosedDay(db);
  requireClosable(day, closedUntil, await readToday(db, now));
  return { ...(await readOpenBooks(db, closedUntil, day)), isCalculating: await isProfitDue(db, day) };
}

/**
 * Closes the books until a day: the sums of all days until it never change again; what changes later is booked on the
 * first open day.
 * @throws AppError validation_failed for a day that cannot be closed, conflict while its sums are being calculated
 */
export async function closeBooks(db: Db, day: string, editor: Editor, now: Instant): Promise<void> {
  await transact(db, async (tx) => {
    const closedUntil = await lockClosedDay(tx);
    requireClosable(day, closedUntil, await readToday(tx, now));
    if (await isProfitDue(tx, day)) {
      throw new AppError(
        'conflict',
        'Profit until this day is still being calculated. Try again in a minute.',
      );
    }
    await writeClosedDay(tx, day);
    await audit(tx, 'books.closed', closedUntil, day, editor, now);
  });
}

/**
 * Opens closed days again: their sums become those of what is known now, and their corrections end.
 * @param day the last day that stays closed; null opens all
 * @throws AppError validation_failed where that opens nothing
 */
export async function reopenBooks(db: Db, day: string | null, editor: Editor, now: Instant): Promise<void> {
  await transact(db, async (tx) => {
    const closedUntil = await lockClosedDay(tx);
    if (closedUntil === null || (day !== null && day >= closedUntil)) {
      const message =
        closedUntil === null ? 'The books are not closed.' : `Enter a day before ${closedUntil}, or none.`;
      throw new AppError('validation_failed', message, { fields: { day: message } });
    }
    await writeClosedDay(tx, day);
    await reopenDays(tx, day);
    await audit(tx, 'books.reopened', closedUntil, day, editor, now);
  });
}

function requireClosable(day: string, closedUntil: string | null, today: string): void {
  const message =
    day >= today
      ? `Enter a day before today, ${today}.`
      : closedUntil !== null && day <= closedUntil
        ? `The books are already closed through ${closedUntil}. Enter a later day.`
        : null;
  if (message !== null) throw new AppError('validation_failed', message, { fields: { day: message } });
}

async function audit(
  tx: Db,
  action: 'books.closed' | 'books.reopened',
  before: string | null,
  after: string | null,
  editor: Editor,
  now: Instant,
): Promise<void> {
  await insertAudit(tx, {
    ...madeBy(editor, now),
    action,
    before: { closedUntil: before },
    after: { closedUntil: after },
  });
}
