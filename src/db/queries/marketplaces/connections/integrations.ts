import { and, eq, inArray, isNull, lte, or, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { connectionChecks, integrations, integrationTokens } from '#db/schema/connections.ts';
import { timestamptz } from '#db/sql-values.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import type { Instant } from '#domain/units.ts';

type IntegrationRow = typeof integrations.$inferSelect;
export type TokenRow = typeof integrationTokens.$inferSelect;

/** Counts a change of credentials: results of earlier tests are deleted. */
export async function recordNewCredentials(tx: Db, marketplaces: readonly Marketplace[]): Promise<void> {
  await tx
    .update(integrations)
    .set({ revision: sql`${integrations.revision} + 1` })
    .where(inArray(integrations.marketplace, [...marketplaces]));
  await tx.delete(connectionChecks).where(inArray(connectionChecks.marketplace, [...marketplaces]));
}

/** Prices are sent to another account from now on: every current price there must be confirmed first. */
export async function startGeneration(tx: Db, marketplace: Marketplace): Promise<void> {
  await tx
    .update(integrations)
    .set({ generation: sql`${integrations.generation} + 1` })
    .where(eq(integrations.marketplace, marketplace));
  await tx.execute(sql`
    SELECT mark_due(array_agg(id), 'marketplace') FROM listings
    WHERE marketplace = ${marketplace} AND deleted_at IS NULL`);
}

/** Deletes tokens. A renewal in progress, with the old credentials, can no longer store its tokens. */
export async function dropTokens(tx: Db, marketplaces: readonly Marketplace[]): Promise<void> {
  await tx
    .update(integrations)
    .set({ epoch: sql`${integrations.epoch} + 1`, leaseOwner: null, leaseUntil: null })
    .where(inArray(integrations.marketplace, [...marketplaces]));
  await tx.delete(integrationTokens).where(inArray(integrationTokens.marketplace, [...marketplaces]));
}

/** Counters and tokens of a marketplace, from one snapshot. */
export async function readTokens(
  db: Db,
  marketplace: Marketplace,
): Promise<{ readonly integration: IntegrationRow; readonly tokens: TokenRow[] }> {
  const rows = await db
    .select()
    .from(integrations)
    .leftJoin(integrationTokens, eq(integrationTokens.marketplace, integrations.marketplace))
    .where(eq(integrations.marketplace, marketplace));
  const [first] = rows;
  if (first === undefined) throw new Error(`${marketplace} has no row; the migration writes it.`);
  return {
    integration: first.integrations,
    tokens: rows.flatMap(({ integration_tokens: token }) => token ?? []),
  };
}

/** Lease to renew the tokens of a marketplace. */
export interface Lease {
  readonly marketplace: Marketplace;
  readonly owner: string;
  readonly epoch: number;
}

/**
 * Acquires the lease unless another process holds it. One that is longer overdue than it can last is free too: the
 * clock was set back.
 * @returns its fencing token; null when another process holds it, or the epoch has ended
 */
export async function acquireTokenLease(
  db: Db,
  { marketplace, owner, epoch }: Lease,
  now: Instant,
  until: Instant,
): Promise<number | null> {
  const isFree = or(
    isNull(integrations.leaseUntil),
    lte(integrations.leaseUntil, now),
    sql`${integrations.leaseUntil} > ${timestamptz(until)}`,
  );
  const [row] = await db
    .update(integrations)
    .set({ leaseOwner: owner, leaseUntil: until, fence: sql`${integrations.fence} + 1` })
    .where(and(eq(integrations.marketplace, marketplace), eq(integrations.epoch, epoch), isFree))
    .returning({ fence: integrations.fence });
  return row?.fence ?? null;
}

/** Releases the lease if this process still holds it. */
export async function releaseTokenLease(db: Db, { marketplace, owner }: Lease, fence: number): Promise<void> {
  await db
    .update(integrations)
    .set({ leaseOwner: null, leaseUntil: null })
    .where(
      and(
        eq(integrations.marketplace, marketplace),
        eq(integrations.leaseOwner, owner),
        eq(integrations.fence, fence),
      ),
    );
}

/**
 * Stores tokens issued for these credentials, also after the lease has ended. A token of a later lease stays.
 * @param tokens each with the fencing token of its lease
 */
export async function storeTokens(
  tx: Db,
  { marketplace, epoch }: Lease,
  tokens: readonly Omit<TokenRow, 'marketplace'>[],
): Promise<void> {
  // Locked, so that credentials do not change between the check and the write.
  const [current] = await tx
    .select({ epoch: integrations.epoch })
    .from(integrations)
    .where(eq(integrations.marketplace, marketplace))
    .for('update');
  if (current?.epoch !== epoch) return;
  for (const token of tokens) {
    await tx
      .insert(integrationTokens)
      .values({ marketplace, ...token })
      .onConflictDoUpdate({
        target: [integrationTokens.marketplace, integrationTokens.kind],
        set: token,
        setWhere: sql`${integrationTokens.fence} < ${token.fence}`,
      });
  }
}
