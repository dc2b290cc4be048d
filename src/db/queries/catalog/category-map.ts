import { sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { categoryMap } from '#db/schema/fees.ts';
import type { MappedCategory } from '#domain/fees/fee-category.ts';

/** The fee categories of what marketplaces report, in no order. */
export async function listMappedCategories(db: Db): Promise<MappedCategory[]> {
  return db.select().from(categoryMap);
}

/** Replaces the whole map. Every statement marks the listings of its marketplaces as due. */
export async function replaceMappedCategories(tx: Db, entries: readonly MappedCategory[]): Promise<void> {
  await tx.execute(sql`LOCK TABLE ${categoryMap} IN SHARE ROW EXCLUSIVE MODE`);
  await tx.delete(categoryMap);
  if (entries.length > 0) await tx.insert(categoryMap).values([...entries]);
}
