import { eq, type SQL, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { type EXTERNAL_EDIT_DECISIONS, externalEdits } from '#db/schema/prices.ts';
import { marketplaceModes } from '#db/schema/repricing-state.ts';
import { cents, millis, timestamptz } from '#db/sql-values.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import type {
  ExternalEditPolicy,
  ExternalEditProblem,
  UnrepairedReason,
} from '#domain/readings/repair-or-hold.ts';
import type { Cents, Instant } from '#domain/units.ts';

export type NewExternalEdit = typeof externalEdits.$inferInsert;

export async function insertExternalEdits(tx: Db, rows: readonly NewExternalEdit[]): Promise<void> {
  if (rows.length > 0) await tx.insert(externalEdits).values([...rows]);
}

/** What is known of earlier external edits of a listing. */
export interface EditHistory extends Record<string, unknown> {
  /** When the last one was repaired automatically; null for never. */
  readonly repairedAt: Instant | null;
  /** A user left the last one as it was, and the listing is still on hold without an end. */
  readonly wasLeft: boolean;
}

/** By listing; those without any are not among them. */
export async function readEditHistories(
  tx: Db,
  listingIds: readonly number[],
): Promise<ReadonlyMap<number, EditHistory>> {
  const { rows } = await tx.execute<EditHistory & { listingId: number }>(sql`
    SELECT e.listing_id::float8 AS "listingId",
      ${millis('max(e.found_at) FILTER (WHERE e.unrepaired_because IS NULL)')} AS "repairedAt",
      (array_agg(e.decision ORDER BY e.id DESC))[1] IS NOT DISTINCT FROM 'left'
        AND bool_and(l.held_by IS NOT NULL AND l.held_until IS NULL) AS "wasLeft"
    FROM external_edits e JOIN listings l ON l.id = e.listing_id
    WHERE e.listing_id = ANY(${sql.param(listingIds)}::bigint[]) GROUP BY e.listing_id`);
  return new Map(rows.map(({ listingId, ...history }) => [listingId, history]));
}

/** How many edits of a marketplace were repaired automatically since a time, and its listings. */
export async function countRepairs(
  tx: Db,
  marketplace: Marketplace,
  since: Instant,
): Promise<{ readonly repairs: number; readonly listings: number }> {
  const { rows } = await tx.execute<{ repairs: number; listings: number }>(sql`
    SELECT (SELECT count(*)::int FROM external_edits
        WHERE marketplace = ${marketplace} AND found_at > ${timestamptz(since)} AND unrepaired_because IS NULL) AS repairs,
      (SELECT count(*)::int FROM listings WHERE marketplace = ${marketplace} AND deleted_at IS NULL) AS listings`);
  return rows[0] ?? { repairs: 0, listings: 0 };
}

/** What happens on a marketplace to external edits below the lowest allowed price. */
export async function readExternalEditPolicy(db: Db, marketplace: Marketplace): Promise<ExternalEditPolicy> {
  return (await listExternalEditPolicies(db)).get(marketplace) ?? 'hold';
}

export async function listExternalEditPolicies(
  db: Db,
): Promise<ReadonlyMap<Marketplace, ExternalEditPolicy>> {
  const rows = await db
    .select({ marketplace: marketplaceModes.marketplace, policy: marketplaceModes.externalEdits })
    .from(marketplaceModes);
  return new Map(rows.map(({ marketplace, policy }) => [marketplace, policy]));
}

export async function setExternalEditPolicy(
  tx: Db,
  marketplace: Marketplace,
  policy: ExternalEditPolicy,
): Promise<void> {
  await tx
    .update(marketplaceModes)
    .set({ externalEdits: policy })
    .where(eq(marketplaceModes.marketplace, marketplace));
}

/** The last edits of these listings were not repaired after all: their repairs were withdrawn. */
export async function markUnrepaired(
  tx: Db,
  listingIds: readonly number[],
  because: UnrepairedReason,
): Promise<void> {
  await tx.execute(sql`
    UPDATE external_edits SET unrepaired_because = ${because}
    WHERE unrepaired_because IS NULL AND id IN (
      SELECT max(id) FROM external_edits WHERE listing_id = ANY(${sql.param(listingIds)}::bigint[]) GROUP BY listing_id)`);
}

/** The edited price does not set the anchor price: the repair takes it back. */
export async function restoreAnchorPrice(tx: Db, listingId: number, anchorPrice: Cents): Promise<void> {
  await tx.execute(sql`UPDATE listings SET anchor_price = ${anchorPrice} / 100.0 WHERE id = ${listingId}`);
}

/** The newest external edit of a listing that no user has decided about. */
export interface OpenEdit extends Record<string, unknown> {
  readonly id: number;
  readonly listingId: number;
  readonly marketplace: Marketplace;
  readonly sku: string;
  readonly foundAt: Instant;
  readonly price: Cents;
  readonly priceBefore: Cents;
  readonly problem: ExternalEditProblem;
  /** Null where it was repaired, or its repair is on its way. */
  readonly unrepairedBecause: UnrepairedReason | null;
  readonly repairPrice: Cents;
  /** The price of the listing is still the edited one. */
  readonly isInForce: boolean;
  /**
   * The last change of its product cost within the day before, or of that of a component of the bundle: then with the SKU of
   * that. Null where the edit was repaired or not doubted.
   */
  readonly costChange: {
    readonly component: string | null;
    readonly from: Cents | null;
    readonly to: Cents | null;
  } | null;
}

/** How long an edit is shown: one that was repaired for as long as its hold lasts. */
const REPAIRED_SHOWN_HOURS = 24;
const SHOWN_DAYS = 7;

/** Over `external_edits e`: the newest edit of its listing, of the last days, that no user has decided about. */
export function isOpenEdit(now: Instant): SQL {
  return sql`e.decision IS NULL AND e.found_at > ${timestamptz(now)} - make_interval(days => ${SHOWN_DAYS})
    AND NOT EXISTS (SELECT FROM external_edits later WHERE later.listing_id = e.listing_id AND later.id > e.id)`;
}

/** Over `external_edits e` and its listing `l`: a repair that buyers do not see, and that is not on its way either. */
const REPAIR_ENDED = sql`e.unrepaired_because IS NULL AND l.current_price = e.price
  AND NOT EXISTS (SELECT FROM price_intents i WHERE i.listing_id = e.listing_id AND i.source = 'repair'
    AND i.state IN ('queued', 'sent', 'accepted', 'unknown'))`;

/** Over `external_edits e` and its listing `l`: the last cost that was entered for it within a day before. */
const COST_CHANGE = sql`SELECT json_build_object('component', nullif(c.sku, l.sku),
    'from', ${cents('c.before')}, 'to', ${cents('c.product_cost')})
  FROM (SELECT c.id, c.entered_at, c.product_cost, s.sku,
      lag(c.product_cost) OVER (PARTITION BY c.sku_id ORDER BY c.id) AS before
    FROM sku_costs c JOIN skus s ON s.id = c.sku_id
    WHERE s.sku = l.sku
      OR s.id IN (SELECT b.component_sku_id FROM bundle_components b WHERE b.listing_sku = l.sku)) c
  WHERE c.entered_at BETWEEN e.found_at - interval '1 day' AND e.found_at AND c.before IS DISTINCT FROM c.product_cost
  ORDER BY c.id DESC LIMIT 1`;

/**
 * Open external edits, the newest first: those in force, and those that were repaired within a day.
 * @param listingId of one listing; null for all
 */
export async function listOpenEdits(
  db: Db,
  listingId: number | null,
  max: number,
  now: Instant,
): Promise<OpenEdit[]> {
  const at = timestamptz(now);
  const { rows } = await db.execute<OpenEdit>(sql`
    SELECT e.id::float8 AS id, e.listing_id::float8 AS "listingId", e.marketplace, l.sku, ${millis('e.found_at')} AS "foundAt",
      ${cents('e.price')} AS price, ${cents('e.price_before')} AS "priceBefore", e.problem,
      CASE WHEN ${REPAIR_ENDED} THEN 'not_automatic' ELSE e.unrepaired_because END AS "unrepairedBecause", ${cents('e.repair_price')} AS "repairPrice",
      l.current_price = e.price AS "isInForce",
      CASE WHEN e.unrepaired_because = 'doubtful' THEN (${COST_CHANGE}) END AS "costChange"
    FROM external_edits e JOIN listings l ON l.id = e.listing_id AND l.deleted_at IS NULL
    WHERE ${isOpenEdit(now)} AND ${listingId === null ? sql`true` : sql`e.listing_id = ${listingId}`}
      AND (l.current_price = e.price OR (e.unrepaired_because IS NULL
        AND e.found_at > ${at} - make_interval(hours => ${REPAIRED_SHOWN_HOURS}) AND l.current_price = e.repair_price))
    ORDER BY e.id DESC LIMIT ${max}`);
  return rows;
}

/** Records what a user decided. @returns false when another user was faster */
export async function decideEdit(
  tx: Db,
  id: number,
  decision: (typeof EXTERNAL_EDIT_DECISIONS)[number],
  by: string,
  now: Instant,
): Promise<boolean> {
  const { rowCount } = await tx.execute(sql`
    UPDATE external_edits SET decision = ${decision}, decided_at = ${timestamptz(now)}, decided_by = ${by}
    WHERE id = ${id} AND decision IS NULL`);
  return rowCount === 1;
}
