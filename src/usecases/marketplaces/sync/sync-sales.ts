import type { SaleLine } from '#connectors/connector.ts';
import { alarmed } from '#connectors/format-alarm.ts';
import { readableOf } from '#connectors/passed-over.ts';
import type { TextRow } from '#db/queries/catalog/import-rows.ts';
import { lockMoney } from '#db/queries/marketplaces/money/money.ts';
import {
  deleteSales,
  writeRefundedSales,
  writeSales,
} from '#db/queries/marketplaces/sync/marketplace-figures.ts';
import { transact } from '#db/transact.ts';
import { decimalFromCents } from '#domain/decimal.ts';
import { MARKETPLACE_NAMES } from '#domain/marketplaces.ts';
import type { Instant } from '#domain/units.ts';
import type { SyncDeps, SyncRun } from './sync-deps.ts';

export interface SalesCounts {
  readonly read: number;
  readonly recorded: number;
  readonly cancelled: number;
  /** Orders that could not be read. */
  readonly passedOver: number;
}

/**
 * Syncs order lines created or changed after `since`. Reading a line again changes nothing, so choose `since` too early
 * rather than too late.
 * @throws ConnectorError
 */
export async function syncSales(
  { db, now }: SyncDeps,
  { connection: { marketplace, connector, account }, signal, passedOver }: SyncRun,
  since: Instant,
): Promise<SalesCounts> {
  let counts: SalesCounts = { read: 0, recorded: 0, cancelled: 0, passedOver: 0 };
  if (connector.readSales === undefined) return counts;
  const pages = alarmed(
    MARKETPLACE_NAMES[marketplace],
    connector.readSales(account, since, signal),
    (rows) => rows,
  );
  for await (const rows of pages) {
    const odd = passedOver.takesUnreadable(rows);
    const page = readableOf(rows);
    const off = page.filter(({ isCancelled, isRefunded }) => isCancelled && !isRefunded);
    const refunded = page.filter(({ isRefunded }) => isRefunded);
    // A later page is newer.
    const lines = page.filter(({ isCancelled }) => !isCancelled);
    const { recorded, cancelled } = await transact(db, async (tx) => {
      await lockMoney(tx, marketplace);
      const sold = await writeSales(tx, marketplace, lines.map(rowOf), now());
      const paidBack = await writeRefundedSales(tx, marketplace, refunded.map(rowOf), now());
      const deleted = await deleteSales(
        tx,
        marketplace,
        off.map(({ externalId }) => externalId),
      );
      return { recorded: sold + paidBack.recorded, cancelled: deleted + paidBack.waiting };
    });
    counts = {
      read: counts.read + rows.length,
      passedOver: counts.passedOver + odd,
      recorded: counts.recorded + recorded,
      cancelled: counts.cancelled + cancelled,
    };
  }
  return counts;
}

function rowOf(line: SaleLine): TextRow {
  const { externalId, orderRef, lineNumber, sku, itemId, soldAt, quantity, unitPrice, revenue } = line;
  return {
    externalId,
    orderRef,
    lineNumber: String(lineNumber),
    sku,
    itemId,
    soldAt: new Date(soldAt).toISOString(),
    quantity: String(quantity),
    unitPrice: decimalFromCents(unitPrice),
    revenue: decimalFromCents(revenue),
    shippingRevenue: line.shippingRevenue === null ? null : decimalFromCents(line.shippingRevenue),
    fees: line.fees === null ? null : decimalFromCents(line.fees),
    restocked: String(line.restocked?.units ?? 0),
    restockedAt: line.restocked === undefined ? null : new Date(line.restocked.at).toISOString(),
  };
}
