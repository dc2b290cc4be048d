import { asc, eq } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { feeTerms } from '#db/schema/fees.ts';

/** What the fees of a marketplace depend on besides the category. */
export type FeeTerms = typeof feeTerms.$inferSelect;

/** The terms of every marketplace. */
export async function listFeeTerms(db: Db): Promise<FeeTerms[]> {
  return db.select().from(feeTerms).orderBy(asc(feeTerms.marketplace));
}

/** The plans that users have chosen, by marketplace. */
export async function readFeePlans(db: Db): Promise<Map<string, string>> {
  const terms = await listFeeTerms(db);
  return new Map(terms.flatMap(({ marketplace, plan }) => (plan === null ? [] : [[marketplace, plan]])));
}

/** Marks the listings of the marketplace as due, by a trigger. */
export async function updateFeeTerms(tx: Db, { marketplace, ...terms }: FeeTerms): Promise<void> {
  await tx.update(feeTerms).set(terms).where(eq(feeTerms.marketplace, marketplace));
}
