import { and, eq, isNull, lt, or, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { recoveryCodes, users } from '#db/schema/accounts.ts';
import type { Instant } from '#domain/units.ts';
import type { UserRow } from './users.ts';

export type RecoveryCodeRow = Pick<typeof recoveryCodes.$inferSelect, 'id' | 'codeHash'>;
export type NewRecoveryCode = Pick<typeof recoveryCodes.$inferInsert, 'handle' | 'codeHash'>;

/**
 * Consumes a time step and every older one. False when it was used before, or when the secret it was checked against
 * is no longer the account's; of any number of concurrent calls one gets true.
 */
export async function spendStep(
  db: Db,
  user: Pick<UserRow, 'id' | 'twoFactorSecret'>,
  step: number,
): Promise<boolean> {
  const isFresh = or(isNull(users.twoFactorLastStep), lt(users.twoFactorLastStep, step));
  const spent = await db
    .update(users)
    .set({ twoFactorLastStep: step })
    .where(and(eq(users.id, user.id), eq(users.twoFactorSecret, user.twoFactorSecret ?? ''), isFresh))
    .returning({ one: sql`1` });
  return spent.length === 1;
}

/** An unused code, by its first group. */
export async function findRecoveryCode(
  db: Db,
  userId: string,
  handle: string,
): Promise<RecoveryCodeRow | null> {
  const [row] = await db
    .select({ id: recoveryCodes.id, codeHash: recoveryCodes.codeHash })
    .from(recoveryCodes)
    .where(
      and(eq(recoveryCodes.userId, userId), eq(recoveryCodes.handle, handle), isNull(recoveryCodes.usedAt)),
    );
  return row ?? null;
}

/** Consumes a code. False when it was used before or its set was replaced; of two concurrent calls one gets true. */
export async function spendRecoveryCode(db: Db, id: number, now: Instant): Promise<boolean> {
  const spent = await db
    .update(recoveryCodes)
    .set({ usedAt: now })
    .where(and(eq(recoveryCodes.id, id), isNull(recoveryCodes.usedAt)))
    .returning({ one: sql`1` });
  return spent.length === 1;
}

/** Number of unused codes of an account. */
export async function countRecoveryCodes(db: Db, userId: string): Promise<number> {
  return db.$count(recoveryCodes, and(eq(recoveryCodes.userId, userId), isNull(recoveryCodes.usedAt)));
}

export async function deleteRecoveryCodes(db: Db, userId: string): Promise<void> {
  await db.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId));
}

/** Replaces the set of codes. */
export async function replaceRecoveryCodes(
  tx: Db,
  userId: string,
  codes: readonly NewRecoveryCode[],
): Promise<void> {
  await deleteRecoveryCodes(tx, userId);
  await tx.insert(recoveryCodes).values(codes.map((code) => ({ userId, ...code })));
}
