import type { Db } from '#db/client.ts';
import { deleteOldDeliveries, deleteOrphanedDeliveries } from '#db/queries/webhook-receivers/deliveries.ts';
import { deleteFormerSecrets } from '#db/queries/webhook-receivers/receivers.ts';
import { hours, type Instant, instant, type Millis } from '#domain/units.ts';
import { DELIVERY_STATES, type DeliveryState } from '#domain/webhook-receivers/webhook-events.ts';

/** How long events are kept. Most are delivered, and a large shop changes hundreds of thousands of prices a day. */
export const RETENTION = {
  delivered: hours(24 * 3),
  failed: hours(24 * 14),
  waiting: hours(24 * 14),
} as const satisfies Record<DeliveryState, Millis>;
/** Rows per statement, each a short transaction. */
const BATCH_SIZE = 1_000;

/**
 * Deletes old deliveries, those to deleted receivers, and former secrets that no longer sign. Safe to repeat and to
 * interrupt. @returns how many deliveries
 */
export async function purgeDeliveries(db: Db, now: Instant, batch = BATCH_SIZE): Promise<number> {
  await deleteFormerSecrets(db, now);
  let total = await inBatches(batch, () => deleteOrphanedDeliveries(db, batch));
  for (const state of DELIVERY_STATES) {
    const before = instant(now - RETENTION[state]);
    total += await inBatches(batch, () => deleteOldDeliveries(db, state, before, batch));
  }
  return total;
}

async function inBatches(batch: number, deleteSome: () => Promise<number>): Promise<number> {
  let total = 0;
  for (let deleted = batch; deleted === batch; total += deleted) deleted = await deleteSome();
  return total;
}
