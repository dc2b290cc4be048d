import { and, eq, gt, isNull, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { oneTimeTokens } from '#db/schema/accounts.ts';
import type { Instant } from '#domain/units.ts';

export type OneTimeToken = typeof oneTimeTokens.$inferSelect;

export async function insertOneTimeToken(db: Db, token: Omit<OneTimeToken, 'usedAt'>): Promise<void> {
  await db.insert(oneTimeTokens).values(token);
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
    .where(
      and(
        eq(oneTimeTokens.tokenHash, tokenHash),
        eq(oneTimeTokens.purpose, purpose),
        isNull(oneTimeTokens.usedAt),
        gt(oneTimeTokens.expiresAt, now),
      ),
    )
    .returning({ one: sql`1` });
  return spent.length === 1;
}
