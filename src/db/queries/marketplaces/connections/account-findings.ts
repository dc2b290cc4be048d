import { and, eq, gt, isNull, or, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { accountFindings, integrations } from '#db/schema/connections.ts';
import { millis, timestamptz } from '#db/sql-values.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import type { Instant } from '#domain/units.ts';

/** Of which account, by the generation of its connection, and what about. */
export interface FindingKey {
  readonly marketplace: Marketplace;
  readonly generation: number;
  readonly name: string;
}

/** @returns null where there is none, it has expired, or it was found with another account */
export async function readFinding(
  db: Db,
  { marketplace, generation, name }: FindingKey,
  now: Instant,
): Promise<unknown> {
  const { value, expiresAt } = accountFindings;
  const [row] = await db
    .select({ value })
    .from(accountFindings)
    .where(
      and(
        eq(accountFindings.marketplace, marketplace),
        eq(accountFindings.name, name),
        eq(accountFindings.generation, generation),
        or(isNull(expiresAt), gt(expiresAt, now)),
      ),
    );
  return row?.value ?? null;
}

/** Why the prices for business buyers of an account follow no price for now. */
export interface BusinessStop extends Record<string, unknown> {
  readonly sku: string;
  /** The marketplace's words; null where it removed something else with them. */
  readonly refused: string | null;
  /** Null: for good. */
  readonly until: Instant | null;
}

/** @returns null where they may follow */
export async function findBusinessStop(
  db: Db,
  marketplace: Marketplace,
  now: Instant,
): Promise<BusinessStop | null> {
  const { rows } = await db.execute<BusinessStop>(sql`
    SELECT f.value ->> 'sku' AS sku, f.value ->> 'refused' AS refused, ${millis('f.expires_at')} AS until
    FROM account_findings f JOIN integrations i ON i.marketplace = f.marketplace AND i.generation = f.generation
    WHERE f.marketplace = ${marketplace} AND f.name = 'amazon_business' AND f.value ->> 'is' = 'off'
      AND (f.expires_at IS NULL OR f.expires_at > ${timestamptz(now)})`);
  return rows[0] ?? null;
}

/** Whether the connector kept writes that it has to finish; see `MarketplaceConnector.finishWrites`. */
export async function hasUnfinishedWrites(db: Db, marketplace: Marketplace): Promise<boolean> {
  const { rowCount } = await db.execute(sql`
    SELECT FROM account_findings f JOIN integrations i ON i.marketplace = f.marketplace AND i.generation = f.generation
    WHERE f.marketplace = ${marketplace} AND f.name = 'unfinished_writes' AND f.value <> '[]'::jsonb`);
  return (rowCount ?? 0) > 0;
}

/** Leaves out what a connector had started and not ended: writes to finish, and prices that prove something once they are shown. */
export async function deleteUnfinished(tx: Db): Promise<void> {
  await tx.execute(
    sql`DELETE FROM account_findings WHERE name = 'unfinished_writes' OR value ->> 'is' = 'proving'`,
  );
}

/** Replaces the former one. Nothing is written for an account that is no longer the connected one. */
export async function writeFinding(
  tx: Db,
  { marketplace, generation, name }: FindingKey,
  value: unknown,
  foundAt: Instant,
  expiresAt: Instant | null,
): Promise<void> {
  const [current] = await tx
    .select({ generation: integrations.generation })
    .from(integrations)
    .where(eq(integrations.marketplace, marketplace))
    .for('share');
  if (current?.generation !== generation) return;
  const row = { marketplace, name, generation, value, foundAt, expiresAt };
  await tx
    .insert(accountFindings)
    .values(row)
    .onConflictDoUpdate({ target: [accountFindings.marketplace, accountFindings.name], set: row });
}
