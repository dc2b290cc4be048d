import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { rowsTable } from '#db/queries/catalog/import-rows.ts';
import { cents, isoTime, millis, timestamptz } from '#db/sql-values.ts';
import { decimalFromCents } from '#domain/decimal.ts';
import type { FulfillmentType, Marketplace } from '#domain/marketplaces.ts';
import { type ReadingSource, SUSPECT_TIMEOUT, type SuspectPrice } from '#domain/readings/assess-reading.ts';
import { type Cents, hours, type Instant } from '#domain/units.ts';

/*
 * Prices that a source showed and that are not in force. Rows of one listing are written under its lock.
 */

/** A suspect price as it is stored. */
export interface StoredSuspect extends SuspectPrice {
  readonly listingId: number;
  /** One of those that are read first. */
  readonly isSample: boolean;
}

type Row = StoredSuspect & Record<string, unknown>;

const SELECTED = sql`s.listing_id::float8 AS "listingId", s.source, ${cents('s.price')} AS price,
  ${millis('s.read_at')} AS "readAt", ${millis('s.open_since')} AS "openSince", s.stops_sending AS "stopsSending",
  ${millis('s.next_read_at')} AS "nextReadAt", s.is_sample AS "isSample", s.refuted,
  ${millis('s.refuted_at')} AS "refutedAt"`;

const among = (listingIds: readonly number[]): SQL =>
  sql`s.listing_id = ANY(${sql.param(listingIds)}::bigint[])`;

/** All suspect prices of these listings, by listing. */
export async function readSuspects(
  db: Db,
  listingIds: readonly number[],
): Promise<ReadonlyMap<number, readonly StoredSuspect[]>> {
  const { rows } = await db.execute<Row>(sql`
    SELECT ${SELECTED} FROM suspect_prices s WHERE ${among(listingIds)} ORDER BY s.listing_id, s.source`);
  const suspects = new Map<number, StoredSuspect[]>();
  for (const row of rows) suspects.set(row.listingId, [...(suspects.get(row.listingId) ?? []), row]);
  return suspects;
}

/** Replaces the suspect prices of these listings. What is neither open nor was ever refuted is not kept. */
export async function replaceSuspects(
  tx: Db,
  marketplace: Marketplace,
  listingIds: readonly number[],
  suspects: readonly StoredSuspect[],
): Promise<void> {
  if (listingIds.length === 0) return;
  await tx.execute(sql`DELETE FROM suspect_prices s WHERE ${among(listingIds)}`);
  const kept = suspects.filter(({ openSince, refuted }) => openSince !== null || refuted > 0);
  if (kept.length === 0) return;
  const table = rowsTable('r', TYPES, kept.map(rowOf));
  await tx.execute(sql`
    INSERT INTO suspect_prices (listing_id, source, marketplace, price, read_at, open_since, stops_sending,
      next_read_at, is_sample, refuted, refuted_at)
    SELECT "listingId", source, ${marketplace}, price, "readAt", "openSince", "stopsSending", "nextReadAt",
      "isSample", refuted, "refutedAt"
    FROM ${table} ORDER BY "listingId", source`);
}

const TYPES = {
  listingId: 'bigint',
  source: 'text',
  price: 'numeric',
  readAt: 'timestamptz',
  openSince: 'timestamptz',
  stopsSending: 'boolean',
  nextReadAt: 'timestamptz',
  isSample: 'boolean',
  refuted: 'integer',
  refutedAt: 'timestamptz',
} as const;

function rowOf(one: StoredSuspect): Readonly<Record<keyof typeof TYPES, string | null>> {
  const moment = (at: Instant | null): string | null => (at === null ? null : isoTime(at));
  return {
    listingId: String(one.listingId),
    source: one.source,
    price: decimalFromCents(one.price),
    readAt: isoTime(one.readAt),
    openSince: moment(one.openSince),
    stopsSending: String(one.stopsSending),
    nextReadAt: moment(one.nextReadAt),
    isSample: String(one.isSample && one.openSince !== null),
    refuted: String(one.refuted),
    refutedAt: moment(one.refutedAt),
  };
}

/** Suspect prices that a reading showed and whose item readings were not decided on yet. */
export async function readWaitingSuspects(tx: Db, marketplace: Marketplace): Promise<number[]> {
  const { rows } = await tx.execute<{ id: number }>(sql`
    SELECT DISTINCT s.listing_id::float8 AS id FROM suspect_prices s WHERE ${waiting(marketplace)} ORDER BY 1`);
  return rows.map(({ id }) => id);
}

const waiting = (marketplace: Marketplace): SQL =>
  sql`s.marketplace = ${marketplace} AND s.open_since IS NOT NULL AND s.next_read_at IS NULL`;

/**
 * Has the items of waiting suspect prices of a marketplace read from now on.
 * @param listingIds all of them by default
 */
export async function requestItemReads(
  tx: Db,
  marketplace: Marketplace,
  now: Instant,
  listingIds?: readonly number[],
): Promise<void> {
  const which = listingIds === undefined ? sql`` : sql` AND ${among(listingIds)}`;
  await tx.execute(
    sql`UPDATE suspect_prices s SET next_read_at = ${timestamptz(now)} WHERE ${waiting(marketplace)}${which}`,
  );
}

/** Has the items of a sample read from now on, and no others of those that wait. */
export async function requestSampleReads(
  tx: Db,
  marketplace: Marketplace,
  sample: readonly number[],
  now: Instant,
): Promise<void> {
  await tx.execute(sql`
    UPDATE suspect_prices s SET is_sample = false WHERE s.marketplace = ${marketplace} AND s.is_sample`);
  await tx.execute(sql`
    UPDATE suspect_prices s SET is_sample = true, next_read_at = ${timestamptz(now)}
    WHERE ${waiting(marketplace)} AND ${among(sample)}`);
}

/** Ends the checks of the suspect prices that wait, and of the rest of a sample. @returns their listings */
export async function setAsideWaiting(tx: Db, marketplace: Marketplace): Promise<number[]> {
  const { rows } = await tx.execute<{ id: number }>(sql`
    UPDATE suspect_prices s SET open_since = NULL, next_read_at = NULL, is_sample = false
    WHERE s.marketplace = ${marketplace} AND s.open_since IS NOT NULL AND (s.next_read_at IS NULL OR s.is_sample)
    RETURNING s.listing_id::float8 AS id`);
  await deleteClosed(tx, marketplace);
  return rows.map(({ id }) => id);
}

/** Ends the checks that took too long. @returns their listings */
export async function dropTimedOutSuspects(
  tx: Db,
  marketplace: Marketplace,
  now: Instant,
): Promise<number[]> {
  const { rows } = await tx.execute<{ id: number }>(sql`
    UPDATE suspect_prices s SET open_since = NULL, next_read_at = NULL, is_sample = false
    WHERE s.marketplace = ${marketplace} AND s.open_since <= ${timestamptz(now - SUSPECT_TIMEOUT)}
    RETURNING s.listing_id::float8 AS id`);
  if (rows.length > 0) await deleteClosed(tx, marketplace);
  return rows.map(({ id }) => id);
}

function deleteClosed(tx: Db, marketplace: Marketplace): Promise<unknown> {
  return tx.execute(sql`
    DELETE FROM suspect_prices s WHERE s.marketplace = ${marketplace} AND s.open_since IS NULL AND s.refuted = 0`);
}

/** Whether the items of suspect prices are to be read at a marketplace now. */
export async function hasItemsToRead(db: Db, marketplace: Marketplace, now: Instant): Promise<boolean> {
  const { rows } = await db.execute<{ isAny: boolean }>(sql`
    SELECT EXISTS (SELECT FROM suspect_prices s WHERE s.marketplace = ${marketplace} AND s.open_since IS NOT NULL
      AND (s.next_read_at <= ${timestamptz(now)} OR s.open_since <= ${timestamptz(now - SUSPECT_TIMEOUT)})) AS "isAny"`);
  return rows[0]?.isAny ?? false;
}

/** A listing whose item is to be read, with its identifiers on the marketplace. */
export interface ItemToRead extends Record<string, unknown> {
  readonly listingId: number;
  readonly sku: string;
  readonly fulfillmentType: FulfillmentType;
  readonly itemId: string | null;
  readonly keys: Readonly<Record<string, string>>;
  readonly currentPrice: Cents;
}

/**
 * Takes listings whose items are to be read now, the longest suspect first; of those that are alike the ones that were
 * not read before.
 * @param nextReadAt when they are read again if this reading settles nothing
 */
export async function takeItemsToRead(
  tx: Db,
  marketplace: Marketplace,
  max: number,
  nextReadAt: Instant,
  now: Instant,
): Promise<ItemToRead[]> {
  const { rows } = await tx.execute<ItemToRead>(sql`
    WITH taken AS (
      SELECT s.listing_id FROM suspect_prices s JOIN listings l ON l.id = s.listing_id AND l.deleted_at IS NULL
      WHERE s.marketplace = ${marketplace} AND s.open_since IS NOT NULL AND s.next_read_at <= ${timestamptz(now)}
      GROUP BY s.listing_id
      ORDER BY min(s.open_since), max(s.refuted_at) NULLS FIRST, s.listing_id LIMIT ${max}),
    later AS (
      UPDATE suspect_prices s SET next_read_at = ${timestamptz(nextReadAt)} FROM taken
      WHERE s.listing_id = taken.listing_id AND s.next_read_at <= ${timestamptz(now)})
    SELECT l.id::float8 AS "listingId", l.sku, l.fulfillment_type AS "fulfillmentType",
      l.marketplace_item_id AS "itemId", coalesce(m.keys, '{}') AS keys,
      ${cents('l.current_price')} AS "currentPrice"
    FROM taken JOIN listings l ON l.id = taken.listing_id LEFT JOIN marketplace_listings m ON m.listing_id = l.id
    ORDER BY l.id`);
  return rows;
}

/** Ends all checks of these listings without a result. */
export async function dropSuspects(tx: Db, listingIds: readonly number[]): Promise<void> {
  if (listingIds.length === 0) return;
  await tx.execute(sql`
    UPDATE suspect_prices s SET open_since = NULL, next_read_at = NULL, is_sample = false
    WHERE ${among(listingIds)} AND s.open_since IS NOT NULL`);
  await tx.execute(
    sql`DELETE FROM suspect_prices s WHERE ${among(listingIds)} AND s.open_since IS NULL AND s.refuted = 0`,
  );
}

/** While a price of listing `of` is checked, the engine sends nothing for it. */
export function isSendingStopped(of: SQL, now: Instant): SQL {
  return sql`EXISTS (SELECT FROM suspect_prices s WHERE s.listing_id = ${of} AND s.stops_sending
    AND s.open_since > ${timestamptz(now - SUSPECT_TIMEOUT)})`;
}

/** A price that is being checked, for the listing's panel. */
export interface CheckedPrice extends Record<string, unknown> {
  readonly price: Cents;
  readonly source: ReadingSource;
  readonly since: Instant;
}

/** The price of a listing that has been checked for longest; null when none is. */
export async function findCheckedPrice(
  db: Db,
  listingId: number,
  now: Instant,
): Promise<CheckedPrice | null> {
  const { rows } = await db.execute<CheckedPrice>(sql`
    SELECT ${cents('s.price')} AS price, s.source, ${millis('s.open_since')} AS since FROM suspect_prices s
    WHERE s.listing_id = ${listingId} AND s.open_since > ${timestamptz(now - SUSPECT_TIMEOUT)}
    ORDER BY s.open_since, s.source LIMIT 1`);
  return rows[0] ?? null;
}

const RETURNS_COUNTED_FOR = hours(24);

/** How often in the last 24 hours a marketplace went back to a former price, by listing; none is missing. */
export async function countReturns(
  db: Db,
  listingIds: readonly number[],
  now: Instant,
): Promise<ReadonlyMap<number, number>> {
  const { rows } = await db.execute<{ id: number; times: number }>(sql`
    SELECT listing_id::float8 AS id, count(*)::int AS times FROM price_returns
    WHERE listing_id = ANY(${sql.param(listingIds)}::bigint[]) AND at > ${timestamptz(now - RETURNS_COUNTED_FOR)}
    GROUP BY listing_id`);
  return new Map(rows.map(({ id, times }) => [id, times]));
}

/** Records that a marketplace went back to a former price. Older records than count are deleted. */
export async function recordReturn(tx: Db, listingId: number, now: Instant): Promise<void> {
  await tx.execute(sql`
    DELETE FROM price_returns WHERE listing_id = ${listingId} AND at <= ${timestamptz(now - RETURNS_COUNTED_FOR)}`);
  await tx.execute(sql`
    INSERT INTO price_returns (listing_id, at) VALUES (${listingId}, ${timestamptz(now)}) ON CONFLICT DO NOTHING`);
}
