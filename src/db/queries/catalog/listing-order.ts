import { type SQL, sql } from 'drizzle-orm';

/** The columns of `listing_keys` behind the sort keys, each with an index of its own. */
const SORT_COLUMNS = {
  marketplace: { column: 'marketplace', isNullable: false },
  sku: { column: 'sku_key', isNullable: false },
  title: { column: 'title_key', isNullable: false },
  currentPrice: { column: 'current_price', isNullable: false },
  amazonWalmartPrice: { column: 'amazon_walmart_price', isNullable: true },
  thirdPartyFbaWfsPrice: { column: 'third_party_fba_wfs_price', isNullable: true },
  thirdPartyFbmPrice: { column: 'third_party_fbm_price', isNullable: true },
  totalCost: { column: 'total_cost', isNullable: true },
  margin: { column: 'margin', isNullable: true },
  profit: { column: 'profit', isNullable: true },
  fee: { column: 'fee_rate', isNullable: true },
} as const;

/** The sort keys of sales, which change with every day: not kept, but summed when asked for. */
const SOLD_COLUMNS = {
  units30: sql`coalesce(recent.units, 0)`,
  profit30: sql`recent.profit`,
} as const;

export type KeptOrder = { readonly by: keyof typeof SORT_COLUMNS; readonly descending: boolean };
type SoldOrder = { readonly by: keyof typeof SOLD_COLUMNS; readonly descending: boolean };
export type ListingOrder = KeptOrder | SoldOrder;

/** Whether the order needs {@link allSoldIn30Days}. */
export function isBySales(order: ListingOrder): order is SoldOrder {
  return order.by in SOLD_COLUMNS;
}

/** A part of an order that matches an index scan. */
export interface Stretch {
  readonly condition: SQL;
  readonly orderBy: SQL;
}

/** The column an order goes by, of `listing_keys k`. */
export function sortColumn({ by }: KeptOrder): SQL {
  return sql.raw(`k.${SORT_COLUMNS[by].column}`);
}

function columnOf(order: ListingOrder): SQL {
  return isBySales(order) ? SOLD_COLUMNS[order.by] : sortColumn(order);
}

/**
 * The whole order: rows without a value are last in both directions; equal ones are ordered by ID, in the same
 * direction.
 */
export function orderBy(order: ListingOrder): SQL {
  const direction = order.descending ? sql`DESC` : sql`ASC`;
  return sql`${columnOf(order)} ${direction} NULLS LAST, k.listing_id ${direction}`;
}

/** The same from the last row to the first. */
function reversedOrderBy(order: KeptOrder): SQL {
  const direction = order.descending ? sql`ASC` : sql`DESC`;
  return sql`${sortColumn(order)} ${direction} NULLS FIRST, k.listing_id ${direction}`;
}

const EVERY: SQL = sql`true`;

/**
 * An order in parts that are index scans without sorting. Ascending is the index order. A backward scan starts with the
 * rows without a value, so descending reads them separately.
 * @param isReversed from the last row of the order to the first
 */
export function stretchesOf(order: KeptOrder, isReversed: boolean): readonly Stretch[] {
  const whole = isReversed ? reversedOrderBy(order) : orderBy(order);
  if (!order.descending) return [{ condition: EVERY, orderBy: whole }];
  const column = sortColumn(order);
  const direction = isReversed ? sql`ASC` : sql`DESC`;
  const values = { condition: EVERY, orderBy: sql`${column} ${direction}, k.listing_id ${direction}` };
  if (!SORT_COLUMNS[order.by].isNullable) return [values];
  const stretches = [
    { ...values, condition: sql`${column} IS NOT NULL` },
    { condition: sql`${column} IS NULL`, orderBy: sql`${column} ${direction}, k.listing_id ${direction}` },
  ];
  return isReversed ? stretches.reverse() : stretches;
}
