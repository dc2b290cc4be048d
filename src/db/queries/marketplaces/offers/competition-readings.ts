import { sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { rowsTable } from '#db/queries/catalog/import-rows.ts';
import type { READING_SOURCES } from '#db/schema/offers.ts';
import { cents, isoTime, millis, timestamptz } from '#db/sql-values.ts';
import type { ReadCoverage } from '#domain/competition/competition.ts';
import { type Cents, type Instant, instant } from '#domain/units.ts';

/** A reading of the competitors of one listing. */
export interface StoredReading {
  readonly listingId: number;
  readonly readAt: Instant;
  readonly coverage: ReadCoverage;
  readonly source: (typeof READING_SOURCES)[number];
  /** The marketplace reported that no one holds the buy box; absent where it did not. */
  readonly isBoxSuppressed?: boolean;
}

/** Stores the last readings of listings; a trigger marks those as due of which it says something new. */
export async function writeReadings(tx: Db, readings: readonly StoredReading[]): Promise<void> {
  if (readings.length === 0) return;
  const table = rowsTable(
    'r',
    { id: 'bigint', at: 'timestamptz', coverage: 'text', source: 'text', suppressed: 'boolean' },
    readings.map(({ listingId, readAt, coverage, source, isBoxSuppressed }) => ({
      id: String(listingId),
      at: isoTime(readAt),
      coverage,
      source,
      suppressed: String(isBoxSuppressed === true),
    })),
  );
  await tx.execute(sql`
    INSERT INTO competition_readings (listing_id, read_at, coverage, source, box_suppressed)
    SELECT r.id, r.at, r.coverage, r.source, r.suppressed FROM ${table} ORDER BY r.id
    ON CONFLICT (listing_id) DO UPDATE SET read_at = excluded.read_at, coverage = excluded.coverage,
      source = excluded.source, box_suppressed = excluded.box_suppressed, unread_at = NULL, unread_reason = NULL`);
}

/** Records that listings were requested without a usable result; their last readings stay. */
export async function writeUnread(
  tx: Db,
  unread: readonly { readonly listingId: number; readonly why: string }[],
  at: Instant,
): Promise<void> {
  if (unread.length === 0) return;
  const table = rowsTable(
    'r',
    { id: 'bigint', why: 'text' },
    unread.map(({ listingId, why }) => ({ id: String(listingId), why: why.slice(0, MAX_REASON) })),
  );
  await tx.execute(sql`
    INSERT INTO competition_readings (listing_id, unread_at, unread_reason)
    SELECT r.id, ${timestamptz(at)}, r.why FROM ${table} ORDER BY r.id
    ON CONFLICT (listing_id) DO UPDATE SET unread_at = excluded.unread_at, unread_reason = excluded.unread_reason`);
}

const MAX_REASON = 500;

/** The last time since the last reading that a listing was requested without a usable result, and why; null: none. */
export async function findUnread(
  db: Db,
  listingId: number,
): Promise<{ readonly at: Instant; readonly reason: string } | null> {
  const { rows } = await db.execute<{ at: Instant; reason: string }>(sql`
    SELECT ${millis('unread_at')} AS at, unread_reason AS reason FROM competition_readings
    WHERE listing_id = ${listingId} AND unread_at IS NOT NULL`);
  return rows[0] ?? null;
}

/** When the stored offers of these listings were seen; listings without a reading or an offer are omitted. */
export async function offerTimes(db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, Instant>> {
  const { rows } = await db.execute<{ id: number; at: number | null }>(sql`
    SELECT asked.id::float8 AS id, (extract(epoch FROM greatest(r.read_at, o.seen_at)) * 1000)::float8 AS at
    FROM unnest(${sql.param(ids)}::bigint[]) AS asked (id)
    LEFT JOIN competition_readings r ON r.listing_id = asked.id
    LEFT JOIN LATERAL (SELECT max(seen_at) AS seen_at FROM competitor_offers WHERE listing_id = asked.id) o ON true`);
  return new Map(rows.flatMap(({ id, at }) => (at === null ? [] : [[id, instant(at)]])));
}

/** The current prices of these listings. */
export async function pricesInForce(db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, Cents>> {
  const { rows } = await db.execute<{ id: number; price: Cents }>(sql`
    SELECT id::float8 AS id, ${cents('current_price')} AS price FROM listings
    WHERE id = ANY(${sql.param(ids)}::bigint[])`);
  return new Map(rows.map(({ id, price }) => [id, price]));
}

/** The buy box as the stored offers of an event have it. */
export interface NamedBox extends Record<string, unknown> {
  readonly listingId: number;
  readonly landed: Cents;
  readonly isOurs: boolean;
}

/** The buy boxes of those of these listings whose offers an event reported, and that still count. */
export async function namedBoxes(db: Db, ids: readonly number[], at: Instant): Promise<NamedBox[]> {
  const { rows } = await db.execute<NamedBox>(sql`
    SELECT r.listing_id::float8 AS "listingId", ${cents('(o.price + o.shipping)')} AS landed, o.is_ours AS "isOurs"
    FROM competition_readings r JOIN competitor_offers o ON o.listing_id = r.listing_id AND o.is_featured
    JOIN listings l ON l.id = r.listing_id
    JOIN (SELECT marketplace, max_offer_age(marketplace) AS age FROM marketplace_modes) m ON m.marketplace = l.marketplace
    WHERE r.listing_id = ANY(${sql.param(ids)}::bigint[]) AND r.source = 'event'
      AND r.read_at >= ${timestamptz(at)} - m.age
    ORDER BY r.listing_id, o.id`);
  return rows;
}

/** Records that the buy boxes of listings were seen again as they are stored. */
export async function confirmBoxes(
  tx: Db,
  boxes: readonly { readonly listingId: number; readonly seenAt: Instant }[],
): Promise<void> {
  if (boxes.length === 0) return;
  const table = rowsTable(
    'b',
    { id: 'bigint', at: 'timestamptz' },
    boxes.map(({ listingId, seenAt }) => ({ id: String(listingId), at: isoTime(seenAt) })),
  );
  await tx.execute(sql`
    UPDATE competitor_offers o SET seen_at = b.at FROM ${table} WHERE o.listing_id = b.id AND o.is_featured`);
  await tx.execute(sql`
    UPDATE competition_readings r SET unread_at = NULL, unread_reason = NULL FROM ${table}
    WHERE r.listing_id = b.id AND r.unread_at IS NOT NULL`);
}
