import { and, desc, eq, gt, inArray, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { knownBrowsers, users } from '#db/schema/accounts.ts';
import type { Instant } from '#domain/units.ts';

/** Owner of a browser: the typed name, or the ID of an account. */
export type BrowserOwner = { readonly username: string } | { readonly userId: string };

/** Whether an account logged in with a browser since `usedAfter`. */
export async function isKnownBrowser(
  db: Db,
  tokenHash: string,
  owner: BrowserOwner,
  usedAfter: Instant,
): Promise<boolean> {
  const isOwners =
    'userId' in owner ? eq(users.id, owner.userId) : sql`lower(${users.username}) = lower(${owner.username})`;
  const rows = await db
    .select({ userId: knownBrowsers.userId })
    .from(knownBrowsers)
    .innerJoin(users, eq(users.id, knownBrowsers.userId))
    .where(and(eq(knownBrowsers.tokenHash, tokenHash), gt(knownBrowsers.usedAt, usedAfter), isOwners));
  return rows.length === 1;
}

/** Stores a browser of an account, or its use; beyond `max`, those used longest ago are deleted. */
export async function keepBrowser(
  tx: Db,
  tokenHash: string,
  userId: string,
  max: number,
  now: Instant,
): Promise<void> {
  await tx
    .insert(knownBrowsers)
    .values({ tokenHash, userId, createdAt: now, usedAt: now })
    .onConflictDoUpdate({ target: knownBrowsers.tokenHash, set: { usedAt: now } });
  const surplus = tx
    .select({ tokenHash: knownBrowsers.tokenHash })
    .from(knownBrowsers)
    .where(eq(knownBrowsers.userId, userId))
    .orderBy(desc(knownBrowsers.usedAt), desc(knownBrowsers.createdAt))
    .offset(max);
  await tx.delete(knownBrowsers).where(inArray(knownBrowsers.tokenHash, surplus));
}

/** Deletes every browser of an account. */
export async function deleteBrowsersOf(tx: Db, userId: string): Promise<void> {
  await tx.delete(knownBrowsers).where(eq(knownBrowsers.userId, userId));
}
