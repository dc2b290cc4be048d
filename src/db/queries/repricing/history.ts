import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { readingList } from '#db/list-reading.ts';
import type { ListTotals, Total } from '#db/queries/catalog/list-totals.ts';
import type { PriceSource } from '#db/schema/prices.ts';
import { isoText } from '#db/sql-values.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import type { Instant } from '#domain/units.ts';
import { type HistoryFilter, historyFrom } from './history-filter.ts';
import { SKUS_WITH_SAME_PRICE } from './price-groups.ts';

/** A price change for screens. Money and percentages are decimal strings, times ISO 8601. */
export type HistoryEntry = {
  readonly id: string;
  readonly listingId: string;
  readonly timestamp: string;
  readonly marketplace: Marketplace;
  readonly sku: string;
  readonly productTitle: string;
  readonly oldPrice: string | null;
  readonly newPrice: string;
  readonly reason: string;
  readonly marginImpact: string | null;
  readonly source: PriceSource;
  readonly actor: string | null;
  readonly rule: { id: string; name: string } | null;
  readonly runId: string | null;
  readonly competitorPrice: string | null;
  readonly marginFloor: string | null;
  readonly currentPrice: string;
  readonly isListingDeleted: boolean;
  readonly sharesPriceWith: string[];
  readonly isExplained: boolean;
};

export interface HistoryQuery extends HistoryFilter {
  /** From 1. */
  readonly page: number;
  readonly size: number;
}

export type HistoryPage = Total & { readonly rows: HistoryEntry[] };

/** One page of the price history, newest first. A page after the last one is empty. */
export async function readHistory(
  db: Db,
  totals: ListTotals,
  { page, size, ...filter }: HistoryQuery,
  now: Instant,
): Promise<HistoryPage> {
  return readingList(db, async (snapshot) => {
    const from = await historyFrom(snapshot, filter, now);
    const total = await totals.read(snapshot, { key: JSON.stringify(['history', filter]), from }, now);
    const keys = pageOfKeys(from, (page - 1) * size, size, total);
    const { rows } = await snapshot.execute<HistoryEntry>(wideRows(keys));
    return { rows, ...total };
  });
}

/** The keys of one page; in the second half of a known total they are read from its end. */
function pageOfKeys(from: SQL, offset: number, limit: number, { total, isTotalExact }: Total): SQL {
  const behind = total - offset - limit;
  const isNearEnd = isTotalExact && behind < offset;
  const direction = isNearEnd ? sql`ASC` : sql`DESC`;
  const rows = isNearEnd ? Math.max(0, Math.min(limit, total - offset)) : limit;
  const skip = isNearEnd ? Math.max(0, behind) : offset;
  return sql`SELECT h.listing_id, h.id ${from}
    ORDER BY h.timestamp ${direction}, h.id ${direction} LIMIT ${rows} OFFSET ${skip}`;
}

function wideRows(keys: SQL): SQL {
  return sql`WITH page AS MATERIALIZED (${keys})
    SELECT h.id::text AS id, h.listing_id::text AS "listingId", ${isoText(sql`h.timestamp`)} AS timestamp,
      l.marketplace, l.sku, l.title AS "productTitle", h.old_price AS "oldPrice", h.new_price AS "newPrice",
      h.reason, h.margin_impact AS "marginImpact", h.source, h.actor,
      CASE WHEN r.id IS NOT NULL THEN json_build_object('id', r.id::text, 'name', r.name) END AS rule,
      h.run_id::text AS "runId", h.competitor_price AS "competitorPrice",
      h.margin_floor AS "marginFloor", l.current_price AS "currentPrice",
      l.deleted_at IS NOT NULL AS "isListingDeleted",
      ${SKUS_WITH_SAME_PRICE} AS "sharesPriceWith", h.facts IS NOT NULL AS "isExplained"
    FROM page
    JOIN price_history h ON h.listing_id = page.listing_id AND h.id = page.id
    JOIN listings l ON l.id = h.listing_id
    LEFT JOIN repricing_rules r ON r.id = h.rule_id
    ORDER BY h.timestamp DESC, h.id DESC`;
}
