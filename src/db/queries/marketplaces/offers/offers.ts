import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { rowsTable, type TextRow } from '#db/queries/catalog/import-rows.ts';
import type { READING_SOURCES, RecordedOffer } from '#db/schema/offers.ts';
import { cents, isoTime, millis, timestamptz } from '#db/sql-values.ts';
import type { ReadCoverage } from '#domain/competition/competition.ts';
import { type Cents, type Instant, instant } from '#domain/units.ts';
import { recordOfferSets } from './offer-aggregates.ts';

/** The listings with these keys, "walmart\nA-1" to id. */
export async function findListingIds(db: Db, keys: readonly TextRow[]): Promise<Map<string, string>> {
  const { rows } = await db.execute<{ id: string; key: string }>(sql`
    SELECT l.id::text, l.marketplace || E'\\n' || l.sku AS key
    FROM ${rowsTable('k', { marketplace: 'text', sku: 'text' }, keys)}
    JOIN listings l ON l.marketplace = k.marketplace AND l.sku = k.sku AND l.deleted_at IS NULL`);
  return new Map(rows.map(({ id, key }) => [key, id]));
}

/** The stored offers of these listings, every value as text. */
export async function findOffers(db: Db, listingIds: readonly string[]): Promise<TextRow[]> {
  const { rows } = await db.execute<Record<string, string | null>>(sql`
    SELECT listing_id::text AS "listingId", seller_name AS seller, seller_key AS "sellerKey",
      seller_hash AS "sellerHash", is_marketplace::text AS "isMarketplace", price::text, shipping::text, fulfillment_type AS "fulfillmentType",
      is_featured::text AS "isFeatured", to_char(seen_at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "seenAt",
      rating::text, rating_count::text AS "ratingCount", handling_days::text AS "handlingDays"
    FROM competitor_offers WHERE listing_id = ANY(${sql.param(listingIds)}::text[]::bigint[]) ORDER BY id`);
  return rows;
}

/**
 * Replaces all offers of these listings, and records each new set with its aggregates. If only times differ, only the
 * times are updated, and the listing does not become due.
 */
export async function replaceOffers(
  db: Db,
  sets: ReadonlyMap<string, readonly RecordedOffer[]>,
  offers: readonly TextRow[],
  at: Instant,
): Promise<void> {
  if (sets.size === 0) return;
  const same = await findUnchanged(db, [...sets.keys()], offers, at);
  const isSame = ({ listingId }: TextRow): boolean => same.has(listingId ?? '');
  await markSeenAgain(db, [...same], offers.filter(isSame), at);
  const changed = [...sets].filter(([listingId]) => !same.has(listingId));
  if (changed.length === 0) return;
  const ids = sql`${sql.param(changed.map(([listingId]) => listingId))}::text[]::bigint[]`;
  const rows = offers.filter((offer) => !isSame(offer));
  await db.execute(sql`DELETE FROM competitor_offers WHERE listing_id = ANY(${ids})`);
  await db.execute(sql`
    INSERT INTO competitor_offers (listing_id, seller_name, seller_key, seller_hash, is_marketplace, price, shipping,
      fulfillment_type, is_featured, is_ours, seen_at, rating, rating_count, handling_days)
    SELECT "listingId", seller, "sellerKey", "sellerHash", "isMarketplace", price, shipping, "fulfillmentType", "isFeatured",
      coalesce("isOurs", false), "seenAt", rating, "ratingCount", "handlingDays" FROM ${rowsTable('r', OFFER_TYPES, rows)}`);
  await recordOfferSets(
    db,
    changed.map(([listingId, set]) => ({ listingId, at, offers: set })),
  );
}

/** Locks listings whose offers are replaced, until the end of the transaction. */
export async function lockOffers(tx: Db, ids: readonly number[]): Promise<void> {
  await tx.execute(sql`
    SELECT FROM marketplace_listings WHERE listing_id = ANY(${sql.param(ids)}::bigint[])
    ORDER BY listing_id FOR NO KEY UPDATE`);
}

/** Columns of an incoming offer. */
const OFFER_TYPES = {
  listingId: 'bigint',
  seller: 'text',
  sellerKey: 'text',
  sellerHash: 'text',
  isMarketplace: 'boolean',
  price: 'numeric',
  shipping: 'numeric',
  fulfillmentType: 'text',
  isFeatured: 'boolean',
  isOurs: 'boolean',
  seenAt: 'timestamptz',
  rating: 'numeric',
  ratingCount: 'integer',
  handlingDays: 'integer',
} as const;

/** All of an offer except its time, as one value to compare and join by. */
const INCOMING = sql`jsonb_build_array(seller, "sellerKey", "sellerHash", "isMarketplace", price::numeric(10, 2),
  shipping::numeric(10, 2), "fulfillmentType", "isFeatured", coalesce("isOurs", false), rating::numeric(5, 2),
  "ratingCount", "handlingDays")`;
const STORED = sql`jsonb_build_array(seller_name, seller_key, seller_hash, is_marketplace, price, shipping, fulfillment_type,
  is_featured, is_ours, rating, rating_count, handling_days)`;

/**
 * The newest record of offers for each of these listings, when it was last seen, and the maximum offer age there. None where
 * the last record is of the future, by a clock that was ahead: what is read next becomes a new one.
 */
function lastRecords(ids: SQL, at: Instant): SQL {
  return sql`SELECT l.id AS listing_id, p.id AS record, p.at, m.age FROM listings l
    JOIN (SELECT marketplace, max_offer_age(marketplace) AS age FROM marketplace_modes) m ON m.marketplace = l.marketplace
    CROSS JOIN LATERAL (
      SELECT id, coalesce(last_seen_at, timestamp) AS at FROM competitor_prices
      WHERE listing_id = l.id AND marketplace = l.marketplace AND timestamp <= ${iso(at)}
      ORDER BY timestamp DESC NULLS LAST, id DESC LIMIT 1) p
    WHERE l.id = ANY(${ids}) AND NOT EXISTS (SELECT FROM competitor_prices n
      WHERE n.listing_id = l.id AND n.marketplace = l.marketplace AND n.timestamp > ${iso(at)} AND n.id > p.id)`;
}

/**
 * Which of these listings have exactly the stored offers, in any order, seen recently enough that none expired in
 * between. A set that is seen again after a gap is recorded as new: the gap has to show, and an expired offer counts
 * again.
 * @param listingIds listings whose offers were synced; one without offers has none now
 * @returns IDs of `listingIds`
 */
async function findUnchanged(
  db: Db,
  listingIds: readonly string[],
  offers: readonly TextRow[],
  at: Instant,
): Promise<ReadonlySet<string>> {
  const ids = sql`${sql.param(listingIds)}::text[]::bigint[]`;
  const { rows } = await db.execute<{ id: string }>(sql`
    WITH incoming AS (
      SELECT "listingId" AS listing_id, ${INCOMING} AS offer FROM ${rowsTable('r', OFFER_TYPES, offers)}),
    stored AS (SELECT listing_id, ${STORED} AS offer FROM competitor_offers WHERE listing_id = ANY(${ids})),
    differing AS (
      (SELECT * FROM incoming EXCEPT ALL SELECT * FROM stored)
      UNION ALL (SELECT * FROM stored EXCEPT ALL SELECT * FROM incoming))
    SELECT listing_id::text AS id FROM (${lastRecords(ids, at)}) last
    WHERE at BETWEEN ${iso(at)} - age AND ${iso(at)}
      AND NOT EXISTS (SELECT FROM differing d WHERE d.listing_id = last.listing_id)`);
  return new Set(rows.map(({ id }) => id));
}

/**
 * Records that unchanged offers were seen again. A listing becomes due only if an offer may have another status than at
 * its last decision: one that was too old or in the future in between, or is so now.
 * @param listingIds listings whose offers equal the stored ones, see {@link findUnchanged}
 */
async function markSeenAgain(
  db: Db,
  listingIds: readonly string[],
  offers: readonly TextRow[],
  at: Instant,
): Promise<void> {
  if (listingIds.length === 0) return;
  const ids = sql`${sql.param(listingIds)}::text[]::bigint[]`;
  const counts = (seen: SQL, from: SQL, to: SQL) =>
    sql`coalesce(${seen} <= ${from} AND ${to} - ${seen} <= age, false)`;
  await db.execute(sql`
    WITH last AS (${lastRecords(ids, at)}),
    kept AS (
      SELECT id, listing_id, seen_at, offer, row_number() OVER (PARTITION BY listing_id, offer ORDER BY seen_at, id) AS place
      FROM (SELECT *, ${STORED} AS offer FROM competitor_offers WHERE listing_id = ANY(${ids})) s),
    incoming AS (
      SELECT listing_id, seen_at, offer, row_number() OVER (PARTITION BY listing_id, offer ORDER BY seen_at) AS place
      FROM (SELECT "listingId" AS listing_id, "seenAt" AS seen_at, ${INCOMING} AS offer
        FROM ${rowsTable('r', OFFER_TYPES, offers)}) i),
    moved AS (
      UPDATE competitor_offers o SET seen_at = i.seen_at
      FROM kept k JOIN incoming i USING (listing_id, offer, place)
      WHERE o.id = k.id AND k.seen_at IS DISTINCT FROM i.seen_at
      RETURNING o.listing_id, k.seen_at AS before, i.seen_at AS now),
    seen AS (
      UPDATE competitor_prices p SET last_seen_at = ${iso(at)} FROM last WHERE p.id = last.record)
    SELECT mark_offers_due(array_agg(DISTINCT m.listing_id)) FROM moved m JOIN last USING (listing_id)
    WHERE NOT (${counts(sql`m.before`, sql`last.at`, iso(at))} AND ${counts(sql`m.now`, iso(at), iso(at))})`);
}

function iso(at: Instant): SQL {
  return timestamptz(at);
}

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
