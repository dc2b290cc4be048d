import { and, eq, inArray, isNull, lte, or, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { connectionChecks, integrations, integrationTokens } from '#db/schema/settings.ts';
import { timestamptz } from '#db/sql-values.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import type { Instant } from '#domain/units.ts';

type IntegrationRow = typeof integrations.$inferSelect;
export type TokenRow = typeof integrationTokens.$inferSelect;

/** Counts a change of credentials: what a test found with others is forgotten. */
export async function noteNewCredentials(tx: Db, marketplaces: readonly Marketplace[]): Promise<void> {
  await tx
    .update(integrations)
    .set({ revision: sql`${integrations.revision} + 1` })
    .where(inArray(integrations.marketplace, [...marketplaces]));
  await tx.delete(connectionChecks).where(inArray(connectionChecks.marketplace, [...marketplaces]));
}

/** Prices go to another account from here on: what every listing costs there has to be read first. */
export async function beginTerm(tx: Db, marketplace: Marketplace): Promise<void> {
  await tx
    .update(integrations)
    .set({ generation: sql`${integrations.generation} + 1` })
    .where(eq(integrations.marketplace, marketplace));
  await tx.execute(sql`
    SELECT mark_due(array_agg(id), 'marketplace') FROM listings
    WHERE marketplace = ${marketplace} AND deleted_at IS NULL`);
}

/** Forgets fetched tokens. Whoever fetches some now, with the credentials of before, cannot store them any more. */
export async function dropTokens(tx: Db, marketplaces: readonly Marketplace[]): Promise<void> {
  await tx
    .update(integrations)
    .set({ epoch: sql`${integrations.epoch} + 1`, leaseOwner: null, leaseUntil: null })
    .where(inArray(integrations.marketplace, [...marketplaces]));
  await tx.delete(integrationTokens).where(inArray(integrationTokens.marketplace, [...marketplaces]));
}

/** A marketplace's counters and its tokens, as they are at one moment. */
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

/** A turn to fetch tokens. */
export interface Lease {
  readonly marketplace: Marketplace;
  readonly owner: string;
  readonly epoch: number;
}

/**
 * Takes the turn unless somebody else has it. One that is over by more than it can last is over too: the clock was put
 * back.
 * @returns its fence; null when somebody else has it, or the epoch is over
 */
export async function takeLease(
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

/** Ends the turn, if it still is that one's. */
export async function endLease(db: Db, { marketplace, owner }: Lease, fence: number): Promise<void> {
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
 * Stores what was fetched in turns of these credentials, also after the turn is over. A token of a later turn stays.
 * @param tokens each with the fence of its turn
 */
export async function storeTokens(
  tx: Db,
  { marketplace, epoch }: Lease,
  tokens: readonly Omit<TokenRow, 'marketplace'>[],
): Promise<void> {
  // Locked, so that credentials do not change between the look and the storing.
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
