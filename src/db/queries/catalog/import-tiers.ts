import { sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { shippingTiers } from '#db/schema/catalog.ts';
import { rowsTable, type TextRow } from './import-rows.ts';

export type StoredTier = typeof shippingTiers.$inferSelect;

/** Every shipping tier. @param lock locks them against changes until the transaction ends */
export async function listTiers(db: Db, lock: boolean): Promise<StoredTier[]> {
  if (lock) await db.execute(sql`LOCK TABLE shipping_tiers IN SHARE ROW EXCLUSIVE MODE`);
  return db.select().from(shippingTiers).orderBy(shippingTiers.id);
}

/** Adds tiers, and sets the cost of those that have an ID. @param created and `changed` with `since`, from when they apply */
export async function writeTiers(
  db: Db,
  created: readonly TextRow[],
  changed: readonly TextRow[],
): Promise<void> {
  const types = {
    marketplace: 'text',
    fulfillmentType: 'text',
    min: 'real',
    max: 'real',
    cost: 'numeric',
    since: 'timestamptz',
  };
  if (created.length > 0) {
    await db.execute(sql`
      INSERT INTO shipping_tiers (marketplace, fulfillment_type, min_weight_oz, max_weight_oz, cost, effective_from)
      SELECT marketplace, "fulfillmentType", min, max, cost, since FROM ${rowsTable('r', types, created)}`);
  }
  if (changed.length > 0) {
    await db.execute(sql`
      UPDATE shipping_tiers t SET cost = r.cost, effective_from = r.since
      FROM ${rowsTable('r', { id: 'bigint', cost: 'numeric', since: 'timestamptz' }, changed)} WHERE t.id = r.id`);
  }
}
