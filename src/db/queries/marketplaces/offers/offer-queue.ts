import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { countedCharge } from '#db/queries/catalog/counted-charge.ts';
import type { ListingToSync } from '#db/queries/marketplaces/sync/sync-queue.ts';
import { cents, millis, pastTime, timestamptz } from '#db/sql-values.ts';
import type { RefreshCandidate } from '#domain/competition/refresh-order.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import { hours, type Instant, instant, type Millis, minutes } from '#domain/units.ts';

/*
 * Which listings' competitors are read, and how urgently. A ranking looks at every listing of a marketplace, with its sales
 * and past buy boxes: one sync makes one, and asks for the listings themselves batch by batch.
 */

/** A listing in the ranking. */
export interface OfferCandidate extends RefreshCandidate, Record<string, unknown> {
  readonly listingId: number;
}

/** Listings of a marketplace whose competitors were last read before a time, and those that are requested. */
export interface OfferQueue {
  readonly marketplace: Marketplace;
  readonly syncedBefore: Instant;
  readonly now: Instant;
}

/** Our own price changes show in the market after about this time: then the competitors are read again. */
const OWN_CHANGE_SHOWS = minutes(30);
/** The competitor of the last decision, at our own shipping charge, is within 5% of our price. */
const CONTESTED = sql`coalesce(abs(l.competitor_price - l.current_price) <= l.current_price * 0.05, false)`;

/** The first listings of each queue, those that waited longest first. @param limit of each queue */
export async function rankOffers(
  db: Db,
  { marketplace, syncedBefore, now }: OfferQueue,
  limit: number,
): Promise<OfferCandidate[]> {
  const { rows } = await db.execute<OfferCandidate>(sql`
    WITH queued AS (${queuedListings(marketplace, now)}),
    placed AS (
      SELECT *, row_number() OVER (PARTITION BY queue ORDER BY read_at NULLS FIRST, id) AS place FROM queued
      WHERE read_at IS NULL OR read_at < ${timestamptz(syncedBefore)} OR queue = 'requested')
    SELECT id::float8 AS "listingId", queue, ${millis('read_at')} AS "readAt"
    FROM placed WHERE place <= ${limit} ORDER BY place, queue`);
  return rows;
}

/**
 * Listings that were requested after a ranking, and not read since: by an event, which takes the time of the last reading
 * away, or because a price of ours shows now. It costs as much as there are of them.
 * @param rankedAt when the ranking was made
 */
export async function offersRequestedSince(
  db: Db,
  marketplace: Marketplace,
  rankedAt: Instant,
  now: Instant,
  limit: number,
): Promise<number[]> {
  const shows = (at: Instant): SQL => timestamptz(instant(at - OWN_CHANGE_SHOWS));
  const { rows } = await db.execute<{ id: number }>(sql`
    SELECT id::float8 AS id FROM (
      (SELECT l.id, m.offers_read_at ${candidatesOn(marketplace)} AND m.offers_read_at IS NULL
      ORDER BY l.id LIMIT ${limit})
      UNION
      SELECT l.id, m.offers_read_at ${candidatesOn(marketplace)} AND l.current_price_id IN (
        SELECT h.id FROM price_history h WHERE h.timestamp > ${shows(rankedAt)} AND h.timestamp <= ${shows(now)}
          AND h.source NOT IN ('observed', 'import') AND h.listing_id = l.id
          AND m.offers_read_at < h.timestamp + ${OWN_CHANGE_SHOWS} * interval '1 millisecond')) requested
    ORDER BY offers_read_at NULLS FIRST, id LIMIT ${limit}`);
  return rows.map(({ id }) => id);
}

/** What a call needs to read the competitors of these listings, in this order, without those that were removed or ended. */
export async function offersToRead(
  db: Db,
  marketplace: Marketplace,
  ids: readonly number[],
): Promise<ListingToSync[]> {
  const { rows } = await db.execute<ListingToSync>(sql`
    SELECT l.id::float8 AS "listingId", l.sku, l.marketplace_item_id AS "itemId",
      l.fulfillment_type AS "fulfillmentType", m.keys, ${cents('l.current_price')} AS price,
      ${cents(countedCharge())} AS "shippingCharge"
    ${candidatesOn(marketplace)} AND l.id = ANY(${sql.param(ids)}::bigint[])`);
  const places = new Map(ids.map((id, place) => [id, place]));
  const placeOf = ({ listingId }: ListingToSync): number => places.get(listingId) ?? ids.length;
  return rows.sort((a, b) => placeOf(a) - placeOf(b));
}

/**
 * `id`, `read_at` and `queue` of the listings of a marketplace whose competitors are read. One that was read in the future, by
 * a clock that was ahead, counts as never read.
 */
function queuedListings(marketplace: Marketplace, now: Instant): SQL {
  const ago = (age: number): SQL => timestamptz(now - age);
  // The box of each record of the last day, and of the one before it.
  const boxChanged = sql`(SELECT count(DISTINCT coalesce(c.buy_box_price, 0)) > 1 FROM competitor_prices c
    WHERE c.listing_id = l.id AND c.marketplace = l.marketplace AND c.timestamp >= coalesce((
      SELECT max(p.timestamp) FROM competitor_prices p
      WHERE p.listing_id = l.id AND p.marketplace = l.marketplace AND p.timestamp <= ${ago(hours(24))}), '-infinity'))`;
  const isRequested = sql`EXISTS (SELECT FROM price_history h
    WHERE h.listing_id = l.id AND h.id = l.current_price_id AND h.source NOT IN ('observed', 'import')
      AND h.timestamp <= ${ago(OWN_CHANGE_SHOWS)}
      AND m.offers_read_at < h.timestamp + ${OWN_CHANGE_SHOWS} * interval '1 millisecond')`;
  return sql`
    SELECT id, read_at, CASE WHEN is_requested THEN 'requested' WHEN sells AND (is_contested OR box_changed) THEN 'hot'
      WHEN sells OR is_contested THEN 'warm' ELSE 'cold' END AS queue
    FROM (
      SELECT l.id, ${pastTime('m.offers_read_at', now)} AS read_at, ${isRequested} AS is_requested, ${CONTESTED} AS is_contested,
        EXISTS (SELECT FROM sales_history s WHERE s.listing_id = l.id AND s.sale_date > ${ago(hours(7 * 24))}) AS sells,
        CASE WHEN ${CONTESTED} THEN false ELSE ${boxChanged} END AS box_changed
      ${candidatesOn(marketplace)}) facts`;
}

/** Live listings that the marketplace shows to buyers. */
function candidatesOn(marketplace: Marketplace): SQL {
  return sql`FROM marketplace_listings m JOIN listings l ON l.id = m.listing_id
    WHERE l.marketplace = ${marketplace} AND l.deleted_at IS NULL AND l.missing_since IS NULL AND m.is_active`;
}

/** How many listings of a marketplace have competitors to read. */
export async function countOfferCandidates(db: Db, marketplace: Marketplace): Promise<number> {
  const { rows } = await db.execute<{ count: number }>(
    sql`SELECT count(*)::int AS count ${candidatesOn(marketplace)}`,
  );
  return rows[0]?.count ?? 0;
}

/** The last readings of competitors on a marketplace. */
export interface OfferReadings extends Record<string, unknown> {
  readonly listings: number;
  /** Those that were read before, and the time within which 95 of 100 of these were read; null for none. */
  readonly read: number;
  readonly age95: Millis | null;
  /** Those that are contested or whose buy box changed, and that sell. */
  readonly contested: number;
  readonly contestedRead: number;
  readonly contestedAge95: Millis | null;
  /** Those whose last reading counts. */
  readonly fresh: number;
}

/** @param maxAge of a reading that counts */
export async function summarizeOfferReadings(
  db: Db,
  marketplace: Marketplace,
  now: Instant,
  maxAge: Millis,
): Promise<OfferReadings> {
  const at = timestamptz(now);
  const age = sql`extract(epoch FROM ${at} - read_at) * 1000`;
  const { rows } = await db.execute<OfferReadings>(sql`
    -- Else the queue would be worked out again for each figure.
    WITH readings AS MATERIALIZED (
      -- An event takes the time of the last call away: then the listing is read at once.
      SELECT q.queue = 'hot' AS is_hot, greatest(q.read_at, r.read_at) AS read_at, r.read_at AS usable_at
      FROM (${queuedListings(marketplace, now)}) q
      LEFT JOIN competition_readings r ON r.listing_id = q.id AND r.read_at <= ${at})
    SELECT count(*)::int AS listings, count(read_at)::int AS read,
      (percentile_disc(0.95) WITHIN GROUP (ORDER BY ${age}))::float8 AS age95,
      (count(*) FILTER (WHERE is_hot))::int AS contested,
      (count(read_at) FILTER (WHERE is_hot))::int AS "contestedRead",
      (percentile_disc(0.95) WITHIN GROUP (ORDER BY ${age}) FILTER (WHERE is_hot))::float8 AS "contestedAge95",
      (count(*) FILTER (WHERE usable_at > ${timestamptz(now - maxAge)}))::int AS fresh
    FROM readings`);
  const [row] = rows;
  if (row === undefined) throw new Error('An aggregate has one row.');
  return row;
}
