import { and, eq, inArray, isNull, lte, or, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { connectionChecks, integrations, integrationTokens } from '#db/schema/settings.ts';
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
    sql`${integrations.leaseUntil} > ${new Date(until).toISOString()}::timestamptz`,
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
 * Stores what somebody fetched in a turn. After a turn that was lost it is still stored as long as nobody stored
 * anything since it began; see the vault.
 * @param seenFence whose tokens were held when the turn began
 * @returns whether it was stored
 */
export async function storeTokens(
  tx: Db,
  { marketplace, epoch }: Lease,
  { fence, seenFence }: { readonly fence: number; readonly seenFence: number },
  tokens: readonly Omit<TokenRow, 'marketplace'>[],
): Promise<boolean> {
  const mine = or(eq(integrations.fence, fence), eq(integrations.storedFence, seenFence));
  const { rowCount } = await tx
    .update(integrations)
    .set({ storedFence: fence })
    .where(and(eq(integrations.marketplace, marketplace), eq(integrations.epoch, epoch), mine));
  if (rowCount !== 1) return false;
  for (const token of tokens) {
    await tx
      .insert(integrationTokens)
      .values({ marketplace, ...token })
      .onConflictDoUpdate({ target: [integrationTokens.marketplace, integrationTokens.kind], set: token });
  }
  return true;
}
