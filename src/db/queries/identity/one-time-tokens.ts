import { and, eq, gt, isNull, type SQL, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { oneTimeTokens } from '#db/schema/accounts.ts';
import type { Instant } from '#domain/units.ts';

export type OneTimeToken = typeof oneTimeTokens.$inferSelect;

export async function insertOneTimeToken(db: Db, token: Omit<OneTimeToken, 'usedAt'>): Promise<void> {
  await db.insert(oneTimeTokens).values(token);
}

/** Whom a token belongs to that is neither expired nor used; null when there is none. */
export async function findOneTimeToken(
  db: Db,
  tokenHash: string,
  purpose: OneTimeToken['purpose'],
  now: Instant,
): Promise<Pick<OneTimeToken, 'userId'> | null> {
  const [row] = await db
    .select({ userId: oneTimeTokens.userId })
    .from(oneTimeTokens)
    .where(isUsable(tokenHash, purpose, now));
  return row ?? null;
}

/** Deletes all tokens of a user for a purpose: a newer link replaces them, or they are no longer wanted. */
export async function deleteOneTimeTokens(
  db: Db,
  userId: string,
  purpose: OneTimeToken['purpose'],
): Promise<void> {
  await db
    .delete(oneTimeTokens)
    .where(and(eq(oneTimeTokens.userId, userId), eq(oneTimeTokens.purpose, purpose)));
}

/** Consumes a token. False when it is unknown, expired or used; of two concurrent calls one gets true. */
export async function spendOneTimeToken(
  db: Db,
  tokenHash: string,
  purpose: OneTimeToken['purpose'],
  now: Instant,
): Promise<boolean> {
  const spent = await db
    .update(oneTimeTokens)
    .set({ usedAt: now })
    .where(isUsable(tokenHash, purpose, now))
    .returning({ one: sql`1` });
  return spent.length === 1;
}

function isUsable(tokenHash: string, purpose: OneTimeToken['purpose'], now: Instant): SQL | undefined {
  return and(
    eq(oneTimeTokens.tokenHash, tokenHash),
    eq(oneTimeTokens.purpose, purpose),
    isNull(oneTimeTokens.usedAt),
    gt(oneTimeTokens.expiresAt, now),
  );
}
