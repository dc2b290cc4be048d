import { eq } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { listings } from '#db/schema/listings.ts';
import { salesHistory } from '#db/schema/sales.ts';
import type { Instant } from '#domain/units.ts';

/** A sale, locked, with what is told of it to users. */
export async function lockSale(tx: Db, id: number) {
  const [row] = await tx
    .select({
      quantity: salesHistory.quantitySold,
      restocked: salesHistory.restocked,
      orderRef: salesHistory.orderRef,
      sku: listings.sku,
    })
    .from(salesHistory)
    .innerJoin(listings, eq(listings.id, salesHistory.listingId))
    .where(eq(salesHistory.id, id))
    .for('no key update', { of: salesHistory });
  return row ?? null;
}

/** Writes how many units came back into stock; a trigger marks the sale as due. */
export async function writeRestocked(tx: Db, id: number, units: number, now: Instant): Promise<void> {
  await tx
    .update(salesHistory)
    .set({ restocked: units, restockedAt: units === 0 ? null : now })
    .where(eq(salesHistory.id, id));
}
