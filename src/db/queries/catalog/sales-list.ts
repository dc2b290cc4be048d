import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { readingList, readNumber } from '#db/list-reading.ts';
import { eachBatch } from '#db/row-batches.ts';
import { isoText, timestamptz } from '#db/sql-values.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import type { MONEY_STATES, SalePartText } from '#domain/sales/settle-sale.ts';
import type { Instant } from '#domain/units.ts';

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
  /** The first and the last day, in UTC. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** A sale in the format of the API: decimals as text, times as ISO 8601. */
export type SaleListRow = {
  readonly id: string;
  readonly listingId: string;
  readonly marketplace: Marketplace;
  readonly sku: string;
  readonly productTitle: string;
  readonly isListingDeleted: boolean;
  readonly orderRef: string | null;
  readonly lineNumber: number | null;
  readonly saleDate: string;
  readonly quantitySold: number;
  readonly unitPrice: string;
  readonly totalRevenue: string;
  readonly shippingRevenue: string | null;
  readonly marketplaceFees: string | null;
  readonly feesEstimated: string | null;
  readonly feesTold: string | null;
  readonly unitCost: string | null;
  readonly shippingCost: string | null;
  readonly totalCost: string | null;
  readonly marginPerUnit: string | null;
  readonly totalMargin: string | null;
  readonly adjustment: string | null;
  readonly ads: string | null;
  readonly refunds: string | null;
  readonly restocked: number;
  readonly parts: readonly SalePartText[];
  readonly state: MoneyState;
  readonly isPending: boolean;
  readonly isAbout: boolean;
  readonly computedAt: string | null;
  readonly createdAt: string;
};

const COLUMNS = sql`h.id::text, h.listing_id::text AS "listingId", l.marketplace, l.sku, l.title AS "productTitle",
  l.deleted_at IS NOT NULL AS "isListingDeleted",
  h.order_ref AS "orderRef", h.line_number AS "lineNumber", ${isoText(sql`h.sale_date`)} AS "saleDate",
  h.quantity_sold AS "quantitySold", h.unit_price::text AS "unitPrice", h.total_revenue::text AS "totalRevenue",
  h.shipping_revenue::text AS "shippingRevenue", h.marketplace_fees::text AS "marketplaceFees",
  h.fees_estimated::text AS "feesEstimated", h.fees_told::text AS "feesTold", h.unit_cost::text AS "unitCost",
  h.shipping_cost::text AS "shippingCost", h.total_cost::text AS "totalCost", h.margin_per_unit::text AS "marginPerUnit",
  h.total_margin::text AS "totalMargin", h.adjustment::text AS adjustment, h.ads::text AS ads,
  h.refunds::text AS refunds, h.restocked, h.parts, h.money_state AS state, h.is_pending AS "isPending", h.is_about AS "isAbout",
  ${isoText(sql`h.computed_at`)} AS "computedAt", ${isoText(sql`h.created_at`)} AS "createdAt"`;

/** One page of the sales, the newest first, and their total, from one snapshot. */
export async function readSales(
  db: Db,
  { page, size, ...filter }: SalesFilter & { readonly page: number; readonly size: number },
): Promise<{ rows: SaleListRow[]; total: number }> {
  const sales = salesOf(filter);
  return readingList(db, async (snapshot) => {
    const total = await readNumber(snapshot, sql`SELECT count(*) AS number FROM ${sales}`);
    const { rows } = await snapshot.execute<SaleListRow>(sql`
      SELECT ${COLUMNS} FROM ${sales} ORDER BY ${NEWEST_FIRST}
      LIMIT ${size} OFFSET ${(page - 1) * size}`);
    return { rows, total };
  });
}

/** One sale; null where there is none. */
export async function readSale(db: Db, id: number): Promise<SaleListRow | null> {
  const { rows } = await db.execute<SaleListRow>(
    sql`SELECT ${COLUMNS} FROM sales_history h JOIN listings l ON l.id = h.listing_id WHERE h.id = ${id}`,
  );
  return rows[0] ?? null;
}

/** Passes on all sales of a filter, the newest first, batch by batch. */
export async function eachSale(
  db: Db,
  filter: SalesFilter,
  onRows: (rows: SaleListRow[]) => Promise<void>,
): Promise<void> {
  const all = sql`SELECT ${COLUMNS} FROM ${salesOf(filter)} ORDER BY ${NEWEST_FIRST}`;
  await eachBatch<SaleListRow>(db, async () => all, onRows);
}

const NEWEST_FIRST = sql`h.sale_date DESC NULLS LAST, h.id DESC NULLS LAST`;

function salesOf(filter: SalesFilter): SQL {
  return sql`sales_history h JOIN listings l ON l.id = h.listing_id WHERE ${conditionOf(filter)}`;
}

function conditionOf({
  marketplace,
  listing,
  rule,
  run,
  state,
  known,
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
  if (from !== undefined) parts.push(sql`h.sale_date >= ${from}::timestamp AT TIME ZONE 'UTC'`);
  if (to !== undefined) parts.push(sql`h.sale_date < (${to}::date + 1)::timestamp AT TIME ZONE 'UTC'`);
  return sql.join(parts, sql` AND `);
}
