import { eq, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { rowsTable, type TextRow } from '#db/queries/catalog/import-rows.ts';
import { moneyReads } from '#db/schema/money.ts';
import { millis, timestamptz } from '#db/sql-values.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import type { Instant } from '#domain/units.ts';

const EVENT_TYPES = {
  externalId: 'text',
  kind: 'text',
  rawType: 'text',
  amount: 'numeric',
  orderRef: 'text',
  lineRef: 'text',
  sku: 'text',
  itemId: 'text',
  quantity: 'integer',
  postedAt: 'timestamptz',
  releasedAt: 'timestamptz',
  settlementRef: 'text',
  feeBase: 'numeric',
  feeSaved: 'numeric',
  feeCategory: 'text',
  isOfNoOrder: 'boolean',
} as const;

/** The first key of the advisory locks of {@link lockMoney}; "prwm" in ASCII. */
const MONEY_LOCK = 0x7072776d;

/**
 * Makes writers of the sales and of the money of a marketplace wait for each other until the transaction ends: triggers
 * match both, and do not see what another transaction has not committed. Take it first.
 */
export async function lockMoney(tx: Db, marketplace: Marketplace): Promise<void> {
  await tx.execute(sql`SELECT pg_advisory_xact_lock(${MONEY_LOCK}, hashtext(${marketplace}))`);
}

/**
 * Books amounts, each once however often it is read. One that is read again with other figures becomes a new version, and
 * the former one is superseded. What was known stays known: an earlier page without it takes nothing back, but for the order
 * of an amount that no longer belongs to one. Triggers find what the amounts belong to.
 * @param events with each external ID once
 * @returns how many were new or different
 */
export async function bookMoney(
  tx: Db,
  marketplace: Marketplace,
  events: readonly TextRow[],
  now: Instant,
): Promise<number> {
  if (events.length === 0) return 0;
  const { rows } = await tx.execute<{ booked: number }>(sql`
    WITH told AS (
      SELECT e."externalId" AS external_id, c.id AS former, coalesce(c.version, 0) + 1 AS version, e.kind, e."rawType" AS raw_type,
        e.amount, CASE WHEN e."isOfNoOrder" THEN NULL ELSE coalesce(e."orderRef", c.order_ref) END AS order_ref,
        CASE WHEN e."isOfNoOrder" THEN NULL ELSE coalesce(e."lineRef", c.line_ref) END AS line_ref,
        coalesce(e.sku, c.sku) AS sku, coalesce(e."itemId", c.item_id) AS item_id, coalesce(e.quantity, c.quantity) AS quantity,
        least(e."postedAt", c.posted_at) AS posted_at, coalesce(e."releasedAt", c.released_at) AS released_at,
        coalesce(e."settlementRef", c.settlement_ref) AS settlement_ref, coalesce(e."feeBase", c.fee_base) AS fee_base,
        coalesce(e."feeSaved", c.fee_saved) AS fee_saved, coalesce(e."feeCategory", c.fee_category) AS fee_category,
        (c.kind, c.raw_type, c.amount, c.order_ref, c.line_ref, c.sku, c.item_id, c.quantity, c.posted_at, c.released_at,
          c.settlement_ref, c.fee_base, c.fee_saved, c.fee_category) AS before
      FROM ${rowsTable('e', EVENT_TYPES, events)}
      LEFT JOIN money_events c ON c.marketplace = ${marketplace} AND c.external_id = e."externalId" AND c.superseded_by IS NULL),
    changed AS (
      SELECT * FROM told WHERE former IS NULL OR before IS DISTINCT FROM (kind, raw_type, amount, order_ref, line_ref, sku,
        item_id, quantity, posted_at::timestamptz(3), released_at::timestamptz(3), settlement_ref, fee_base, fee_saved, fee_category)),
    added AS (
      INSERT INTO money_events (marketplace, external_id, version, kind, raw_type, amount, order_ref, line_ref, sku, item_id,
        quantity, posted_at, released_at, settlement_ref, fee_base, fee_saved, fee_category, read_at)
      SELECT ${marketplace}, external_id, version, kind, raw_type, amount, order_ref, line_ref, sku, item_id, quantity,
        posted_at, released_at, settlement_ref, fee_base, fee_saved, fee_category, ${timestamptz(now)} FROM changed
      RETURNING id, external_id),
    superseded AS (
      UPDATE money_events m SET superseded_by = a.id FROM changed c JOIN added a ON a.external_id = c.external_id
      WHERE m.id = c.former)
    SELECT count(*)::float8 AS booked FROM added`);
  return rows[0]?.booked ?? 0;
}

/**
 * What is booked of these transactions beyond what they have now, as rows of `bookMoney` without their amount.
 * @param whole transactions, each by what the external IDs of its amounts start with
 * @param reported the external IDs of all amounts that they have
 */
export async function readWithdrawnMoney(
  tx: Db,
  marketplace: Marketplace,
  whole: readonly TextRow[],
  reported: readonly string[],
): Promise<TextRow[]> {
  if (whole.length === 0) return [];
  const { rows } = await tx.execute<TextRow>(sql`
    SELECT DISTINCT e.external_id AS "externalId", e.kind, e.raw_type AS "rawType", e.posted_at::text AS "postedAt"
    FROM ${rowsTable('w', { id: 'text', orderRef: 'text', isPending: 'boolean' }, whole)}
    CROSS JOIN LATERAL (
      SELECT * FROM money_events m WHERE m.order_ref = w."orderRef" AND m.marketplace = ${marketplace} AND m.superseded_by IS NULL
      UNION ALL
      SELECT * FROM money_events m WHERE m.order_ref IS NULL AND m.marketplace = ${marketplace} AND m.superseded_by IS NULL
        -- From the ID on to what follows its ":".
        AND m.external_id COLLATE "C" >= w.id AND m.external_id COLLATE "C" < w.id || ';') e
    WHERE e.amount <> 0 AND (e.external_id = w.id OR starts_with(e.external_id, w.id || ':'))
      AND (e.released_at IS NULL OR NOT w."isPending")
      AND e.external_id <> ALL (${sql.param(reported)}::text[])`);
  return rows;
}

const SETTLEMENT_TYPES = {
  ref: 'text',
  from: 'timestamptz',
  to: 'timestamptz',
  paidAt: 'timestamptz',
  total: 'numeric',
  isClosed: 'boolean',
} as const;

/** Writes settlements as they were last reported. @param settlements with each ref once */
export async function writeSettlements(
  tx: Db,
  marketplace: Marketplace,
  settlements: readonly TextRow[],
  now: Instant,
): Promise<void> {
  if (settlements.length === 0) return;
  await tx.execute(sql`
    INSERT INTO settlements (marketplace, ref, from_at, to_at, paid_at, told_total, is_closed, read_at)
    SELECT ${marketplace}, ref, "from", "to", "paidAt", total, "isClosed", ${timestamptz(now)}
    FROM ${rowsTable('s', SETTLEMENT_TYPES, settlements)} ORDER BY ref
    ON CONFLICT (marketplace, ref) DO UPDATE SET from_at = coalesce(excluded.from_at, settlements.from_at),
      to_at = coalesce(excluded.to_at, settlements.to_at), paid_at = coalesce(excluded.paid_at, settlements.paid_at),
      told_total = coalesce(excluded.told_total, settlements.told_total), read_at = excluded.read_at,
      is_closed = excluded.is_closed OR settlements.is_closed`);
}

/** Keeps what could not be taken, once however often it is read. @param refused with each place and reason once */
export async function writeRefusedMoney(
  tx: Db,
  marketplace: Marketplace,
  refused: readonly TextRow[],
  now: Instant,
): Promise<void> {
  if (refused.length === 0) return;
  await tx.execute(sql`
    INSERT INTO refused_money (marketplace, place, why, first_seen_at, last_seen_at)
    SELECT ${marketplace}, place, why, ${timestamptz(now)}, ${timestamptz(now)}
    FROM ${rowsTable('r', { place: 'text', why: 'text' }, refused)} ORDER BY place, why
    ON CONFLICT (marketplace, place, why) DO UPDATE SET last_seen_at = excluded.last_seen_at`);
}

/** The time of which the money of a marketplace is known; null before anything was read. */
export type MoneyRead = Pick<
  typeof moneyReads.$inferSelect,
  'readFrom' | 'readUntil' | 'backTo' | 'rereadAt'
>;

export async function findMoneyRead(db: Db, marketplace: Marketplace): Promise<MoneyRead | null> {
  const { readFrom, readUntil, backTo, rereadAt } = moneyReads;
  const [row] = await db
    .select({ readFrom, readUntil, backTo, rereadAt })
    .from(moneyReads)
    .where(eq(moneyReads.marketplace, marketplace));
  return row ?? null;
}

export async function writeMoneyRead(db: Db, marketplace: Marketplace, read: MoneyRead): Promise<void> {
  await db
    .insert(moneyReads)
    .values({ marketplace, ...read })
    .onConflictDoUpdate({ target: moneyReads.marketplace, set: read });
}

/** The last time that payments of unknown orders were read again. */
export interface UnnamedTurn {
  readonly readAt: Instant;
  /** Booked then: those before come next. */
  readonly readDownTo: Instant;
}

export async function findUnnamedTurn(db: Db, marketplace: Marketplace): Promise<UnnamedTurn | null> {
  const { unnamedReadAt, unnamedReadDownTo } = moneyReads;
  const [row] = await db
    .select({ readAt: unnamedReadAt, readDownTo: unnamedReadDownTo })
    .from(moneyReads)
    .where(eq(moneyReads.marketplace, marketplace));
  const { readAt, readDownTo } = row ?? { readAt: null, readDownTo: null };
  return readAt === null || readDownTo === null ? null : { readAt, readDownTo };
}

export async function writeUnnamedTurn(db: Db, marketplace: Marketplace, turn: UnnamedTurn): Promise<void> {
  await db
    .update(moneyReads)
    .set({ unnamedReadAt: turn.readAt, unnamedReadDownTo: turn.readDownTo })
    .where(eq(moneyReads.marketplace, marketplace));
}

/** From the first to the last of some amounts of one day, ends included. */
export interface BookedSpan {
  readonly first: Instant;
  readonly last: Instant;
}

/**
 * The times of payments and refunds, and of what was taken of them, of which the marketplace has not said what they belong to: a
 * span for each day in UTC, the newest first.
 * @param span only of what was booked in it
 */
export async function readUnnamedPayments(
  db: Db,
  marketplace: Marketplace,
  { from, before }: { readonly from: Instant; readonly before: Instant },
): Promise<BookedSpan[]> {
  const { rows } = await db.execute<{ first: Instant; last: Instant }>(sql`
    SELECT ${millis('min(posted_at)')}::float8 AS first, ${millis('max(posted_at)')}::float8 AS last FROM money_events
    WHERE marketplace = ${marketplace} AND posted_at >= ${timestamptz(from)} AND posted_at < ${timestamptz(before)} AND superseded_by IS NULL
      AND order_ref IS NULL AND line_ref IS NULL AND sku IS NULL AND item_id IS NULL
      AND kind IN ('principal', 'tax', 'payment', 'refund_principal', 'refund_other')
    GROUP BY date_trunc('day', posted_at AT TIME ZONE 'UTC') ORDER BY 1 DESC`);
  return rows;
}
