import { and, eq, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { connectionChecks, integrations } from '#db/schema/connections.ts';
import { transact } from '#db/transact.ts';
import type { Marketplace } from '#domain/marketplaces.ts';

export type CheckRow = typeof connectionChecks.$inferSelect;

/** Results of the last tests with the current credentials. */
export async function listChecks(db: Db): Promise<CheckRow[]> {
  return db.select().from(connectionChecks);
}

/** Revision of the stored credentials: rises with every change of them. */
export async function credentialsRevision(db: Db, marketplace: Marketplace): Promise<number> {
  const [row] = await db
    .select({ revision: integrations.revision })
    .from(integrations)
    .where(eq(integrations.marketplace, marketplace));
  if (row === undefined) throw new Error(`${marketplace} has no row; the migration writes it.`);
  return row.revision;
}

/** Stores the result of a test, unless the credentials have changed since it started. */
export async function storeCheck(db: Db, revision: number, check: CheckRow): Promise<void> {
  const { marketplace, ...found } = check;
  await transact(db, async (tx) => {
    const current = await tx
      .select({ found: sql`1` })
      .from(integrations)
      .where(and(eq(integrations.marketplace, marketplace), eq(integrations.revision, revision)))
      .for('update');
    if (current.length === 0) return;
    await tx
      .insert(connectionChecks)
      .values(check)
      .onConflictDoUpdate({ target: connectionChecks.marketplace, set: found });
  });
}
