import { and, eq } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { consents } from '#db/schema/connections.ts';

export type ConsentRow = typeof consents.$inferSelect;

/** Stores a started authorization; an earlier one of the same session becomes invalid. */
export async function replaceConsent(tx: Db, consent: ConsentRow): Promise<void> {
  const { sessionId, marketplace } = consent;
  await tx
    .delete(consents)
    .where(and(eq(consents.sessionId, sessionId), eq(consents.marketplace, marketplace)));
  await tx.insert(consents).values(consent);
}

/**
 * Consumes an authorization when its response arrives: of two concurrent responses exactly one gets it.
 * @returns null when there is none, or it is another session's; an expired one is also returned
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
