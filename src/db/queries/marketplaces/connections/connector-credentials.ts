import { and, eq } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { connectorCredentials } from '#db/schema/connections.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import type { Instant } from '#domain/units.ts';

export type FurtherCredentialRow = typeof connectorCredentials.$inferSelect;

/** Credentials that are not columns of the settings; every value is ciphertext. */
export async function listFurtherCredentials(db: Db): Promise<FurtherCredentialRow[]> {
  return db.select().from(connectorCredentials);
}

/** Sets or removes one of them. @param value ciphertext; null removes it */
export async function setFurtherCredential(
  tx: Db,
  holder: Marketplace,
  name: string,
  value: string | null,
  now: Instant,
): Promise<void> {
  if (value === null) {
    await tx
      .delete(connectorCredentials)
      .where(and(eq(connectorCredentials.holder, holder), eq(connectorCredentials.name, name)));
    return;
  }
  await tx
    .insert(connectorCredentials)
    .values({ holder, name, value, updatedAt: now })
    .onConflictDoUpdate({
      target: [connectorCredentials.holder, connectorCredentials.name],
      set: { value, updatedAt: now },
    });
}
