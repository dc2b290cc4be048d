import { desc, eq, inArray, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { dataKeys } from '#db/schema/secrets.ts';

export type DataKeyRow = typeof dataKeys.$inferInsert;

/** Every data key, the newest first, which encrypts. */
export async function listDataKeys(db: Db): Promise<DataKeyRow[]> {
  return db.select().from(dataKeys).orderBy(desc(dataKeys.position));
}

/** Locks data keys against changes until the end of the transaction; reads continue. */
export async function lockDataKeys(tx: Db): Promise<void> {
  await tx.execute(sql`LOCK TABLE ${dataKeys} IN SHARE ROW EXCLUSIVE MODE`);
}

export async function insertDataKey(tx: Db, row: DataKeyRow): Promise<void> {
  await tx.insert(dataKeys).values(row);
}

/** Stores a data key encrypted with another master key. */
export async function rewrapDataKey(tx: Db, id: string, wrapped: string): Promise<void> {
  await tx.update(dataKeys).set({ wrapped }).where(eq(dataKeys.id, id));
}

export async function deleteDataKeys(tx: Db, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await tx.delete(dataKeys).where(inArray(dataKeys.id, [...ids]));
}
