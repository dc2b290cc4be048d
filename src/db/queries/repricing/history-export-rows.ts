import { sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { eachBatch } from '#db/row-batches.ts';
import { isoText } from '#db/sql-values.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import type { Instant } from '#domain/units.ts';
import { type HistoryFilter, historyFrom } from './history-filter.ts';

/** The columns of a price history file. */
export type HistoryFileRow = {
  readonly timestamp: string;
  readonly marketplace: Marketplace;
  readonly sku: string;
  readonly productTitle: string;
  readonly oldPrice: string | null;
  readonly newPrice: string;
  readonly change: string | null;
  readonly reason: string;
  readonly marginImpact: string | null;
  readonly source: string;
  readonly changedBy: string | null;
  readonly rule: string | null;
  readonly competitorPrice: string | null;
  readonly lowestLegalPrice: string | null;
};

/** Passes on the price changes of a filter, newest first, batch by batch. */
export async function eachPriceChange(
  db: Db,
  filter: HistoryFilter,
  now: Instant,
  onRows: (rows: HistoryFileRow[]) => Promise<void>,
): Promise<void> {
  await eachBatch<HistoryFileRow>(
    db,
    async (snapshot) => sql`
      SELECT ${isoText(sql`h.timestamp`)} AS timestamp, l.marketplace, l.sku, l.title AS "productTitle",
        h.old_price AS "oldPrice", h.new_price AS "newPrice", h.new_price - h.old_price AS change, h.reason,
        h.margin_impact AS "marginImpact", h.source, h.actor AS "changedBy", r.name AS rule,
        h.competitor_price AS "competitorPrice", h.margin_floor AS "lowestLegalPrice"
      FROM (SELECT h.* ${await historyFrom(snapshot, filter, now)}) h
      JOIN listings l ON l.id = h.listing_id LEFT JOIN repricing_rules r ON r.id = h.rule_id
      ORDER BY h.timestamp DESC, h.id DESC`,
    onRows,
  );
}
