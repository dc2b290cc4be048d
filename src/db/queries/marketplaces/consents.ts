import { and, eq } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { consents } from '#db/schema/settings.ts';

export type ConsentRow = typeof consents.$inferSelect;

/** Somebody goes to a marketplace. The same session's earlier way there leads nowhere any more. */
export async function replaceConsent(tx: Db, consent: ConsentRow): Promise<void> {
  const { sessionId, marketplace } = consent;
  await tx
    .delete(consents)
    .where(and(eq(consents.sessionId, sessionId), eq(consents.marketplace, marketplace)));
  await tx.insert(consents).values(consent);
}

/**
 * Takes a consent that is answered: of two answers at once exactly one gets it.
 * @returns null when there is none, or it is another session's; one that has expired is returned all the same
 */
export async function takeConsent(
  tx: Db,
  { stateHash, marketplace, sessionId }: Pick<ConsentRow, 'stateHash' | 'marketplace' | 'sessionId'>,
): Promise<ConsentRow | null> {
  const [row] = await tx
    .delete(consents)
    .where(
      and(
        eq(consents.stateHash, stateHash),
        eq(consents.marketplace, marketplace),
        eq(consents.sessionId, sessionId),
      ),
    )
    .returning();
  return row ?? null;
}
