import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { readingList, readNumber } from '#db/list-reading.ts';
import { eachBatch } from '#db/row-batches.ts';
import { isoText, timestamptz } from '#db/sql-values.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import type { ListedSale } from '#domain/sales/listed-sale.ts';
import type { MONEY_STATES } from '#domain/sales/settle-sale.ts';
import type { Instant } from '#domain/units.ts';
import { shopDayStart } from './shop-days.ts';

type MoneyState = (typeof MONEY_STATES)[number];

/** Which sales; all conditions apply together. */
export interface SalesFilter {
  readonly marketplace?: Marketplace | undefined;
  readonly listing?: string | undefined;
  /** The rule and the run that set the price. */
  readonly rule?: string | undefined;
  readonly run?: string | undefined;
  readonly state?: MoneyState | undefined;
  /** Whether the profit is known. */
  readonly known?: boolean | undefined;
  /** Only sales before this time that were not told, of a time whose money was read. */
  readonly lateBefore?: Instant | undefined;
  /** Those that earned less than the minimum margin asks for. */
  readonly below?: boolean | undefined;
  /** The first and the last day of the shop. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

const COLUMNS = sql`h.id::text, h.listing_id::text AS "listingId", l.marketplace, l.sku, l.title AS "productTitle",
  l.deleted_at IS NOT NULL AS "isListingDeleted",
  h.order_ref AS "orderRef", h.line_number AS "lineNumber", ${isoText(sql`h.sale_date`)} AS "saleDate",
  h.quantity_sold AS "quantitySold", h.unit_price::text AS "unitPrice", h.total_revenue::text AS "totalRevenue",
  h.shipping_revenue::text AS "shippingRevenue", h.marketplace_fees::text AS "marketplaceFees",
  h.fees_estimated::text AS "feesEstimated", h.fees_told::text AS "feesTold", h.unit_cost::text AS "unitCost",
  h.shipping_cost::text AS "shippingCost", h.total_cost::text AS "totalCost", h.margin_per_unit::text AS "marginPerUnit",
  h.total_margin::text AS "totalMargin", h.adjustment::text AS adjustment, h.ads::text AS ads,
  h.refunds::text AS refunds, h.restocked, h.parts, h.price_source AS "priceSource", h.rule_id::text AS "ruleId", h.run_id::text AS "runId",
  h.money_state AS state, h.is_pending AS "isPending", h.is_about AS "isAbout",
  ${isoText(sql`h.computed_at`)} AS "computedAt", ${isoText(sql`h.created_at`)} AS "createdAt"`;

/** One page of the sales, the newest first, and their total, from one snapshot. */
export async function readSales(
  db: Db,
  { page, size, ...filter }: SalesFilter & { readonly page: number; readonly size: number },
): Promise<{ rows: ListedSale[]; total: number } & Lost> {
  const sales = salesOf(filter);
  return readingList(db, async (snapshot) => {
    const total = await readNumber(snapshot, sql`SELECT count(*) AS number FROM ${sales}`);
    const { rows } = await snapshot.execute<ListedSale>(sql`
      SELECT ${COLUMNS} FROM ${sales} ORDER BY ${NEWEST_FIRST}
      LIMIT ${size} OFFSET ${(page - 1) * size}`);
    const lost = filter.below === true ? await readLost(snapshot, sales) : NOT_ASKED;
    return { rows, total, ...lost };
  });
}

/** One sale; null where there is none. */
export async function readSale(db: Db, id: number): Promise<ListedSale | null> {
  const { rows } = await db.execute<ListedSale>(
    sql`SELECT ${COLUMNS} FROM sales_history h JOIN listings l ON l.id = h.listing_id WHERE h.id = ${id}`,
  );
  return rows[0] ?? null;
}

/** Passes on all sales of a filter, the newest first, batch by batch. */
export async function eachSale(
  db: Db,
  filter: SalesFilter,
  onRows: (rows: ListedSale[]) => Promise<void>,
): Promise<void> {
  const all = sql`SELECT ${COLUMNS} FROM ${salesOf(filter)} ORDER BY ${NEWEST_FIRST}`;
  await eachBatch<ListedSale>(db, async () => all, onRows);
}

interface Lost {
  /** What the sales earned too little; null where that was not asked for. */
  readonly lost: string | null;
  /** A part of it is an estimate. */
  readonly isLostAbout: boolean;
}

const NOT_ASKED: Lost = { lost: null, isLostAbout: false };

async function readLost(snapshot: Db, sales: SQL): Promise<Lost> {
  const { rows } = await snapshot.execute<{ lost: string; isLostAbout: boolean }>(
    sql`SELECT coalesce(sum(round(${SHORTFALL}, 2)), 0.00)::text AS lost,
      coalesce(bool_or(h.is_about), false) AS "isLostAbout" FROM ${sales}`,
  );
  return rows[0] ?? { lost: '0.00', isLostAbout: false };
}

/** The minimum margin in percent of the rule that set the price of the sale `h`, else of the listing's rule; 0 without one. */
const MINIMUM_MARGIN = sql`coalesce(o.minimum_margin, r.minimum_margin, 0)`;
const ITS_RULE = sql`LEFT JOIN listing_metrics m ON m.listing_id = h.listing_id
  LEFT JOIN repricing_rules r ON r.id = coalesce(h.rule_id, m.rule_id)
  LEFT JOIN repricing_rule_margins o ON o.rule_id = r.id AND o.marketplace = l.marketplace`;

/** By how much the sale `h` earned less than that. Its returns do not count: they say nothing about its price. */
const SHORTFALL = sql`(${MINIMUM_MARGIN} / 100 * (h.total_revenue + coalesce(h.shipping_revenue, 0) + coalesce(h.adjustment, 0))
  - h.total_margin - coalesce(h.refunds, 0))`;

const NEWEST_FIRST = sql`h.sale_date DESC NULLS LAST, h.id DESC NULLS LAST`;

function salesOf(filter: SalesFilter): SQL {
  const joined = filter.below === undefined ? sql`` : ITS_RULE;
  return sql`sales_history h JOIN listings l ON l.id = h.listing_id ${joined} WHERE ${conditionOf(filter)}`;
}

function conditionOf({
  marketplace,
  listing,
  rule,
  run,
  state,
  known,
  below,
  from,
  to,
  lateBefore,
}: SalesFilter): SQL {
  const parts = [sql`true`];
  if (marketplace !== undefined) parts.push(sql`l.marketplace = ${marketplace}`);
  if (listing !== undefined) parts.push(sql`h.listing_id = ${listing}::bigint`);
  if (rule !== undefined) parts.push(sql`h.rule_id = ${rule}::bigint`);
  if (run !== undefined) parts.push(sql`h.run_id = ${run}::bigint`);
  if (state !== undefined) parts.push(sql`h.money_state = ${state}`);
  if (known !== undefined) parts.push(sql`(h.total_margin IS NOT NULL) = ${known}`);
  if (lateBefore !== undefined)
    parts.push(sql`h.money_state <> 'told' AND h.sale_date < ${timestamptz(lateBefore)} AND EXISTS (
      SELECT 1 FROM money_reads r WHERE r.marketplace = l.marketplace AND r.read_from <= h.sale_date)`);
  // A cent per unit is rounding. A sale whose profit is unknown is neither.
  if (below !== undefined) parts.push(sql`(${SHORTFALL} > 0.01 * h.quantity_sold) = ${below}`);
  if (from !== undefined) parts.push(sql`h.sale_date >= ${shopDayStart(sql`${from}::date`)}`);
  if (to !== undefined) parts.push(sql`h.sale_date < ${shopDayStart(sql`${to}::date + 1`)}`);
  return sql.join(parts, sql` AND `);
}
