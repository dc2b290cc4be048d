import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { cents } from '#db/sql-values.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import type { Cents, Instant } from '#domain/units.ts';
import { type HistoryFilter, historyFrom } from './history-filter.ts';
import type { MovedByRun } from './price-rows.ts';

/** The changes of one listing in a set: the ID of the first, and how many there are. */
export type ListingChanges = readonly [listingId: number, firstId: number, changes: number];

/** A set of price changes by listing, in the order of their ids. */
export interface ChangeSet {
  readonly listings: readonly ListingChanges[];
  readonly changes: number;
  /** Id of the newest row of the set; null where there is none. */
  readonly through: string | null;
}

/**
 * The price changes that a filter shows, by listing.
 * @param through later rows are excluded; null includes all
 * @param max listings; if there are more, one more than that is returned
 */
export async function readChangeSet(
  db: Db,
  filter: HistoryFilter,
  through: string | null,
  max: number,
  now: Instant,
): Promise<ChangeSet> {
  const from = await historyFrom(db, filter, now);
  const until = through === null ? sql`` : sql`AND h.id <= ${through}::bigint`;
  const { rows } = await db.execute<{ id: number; first: number; changes: number; last: number }>(sql`
    SELECT h.listing_id::float8 AS id, min(h.id)::float8 AS first, count(*)::int AS changes, max(h.id)::float8 AS last
    ${from} ${until} GROUP BY h.listing_id ORDER BY h.listing_id LIMIT ${max + 1}`);
  const newest = rows.reduce((max, { last }) => Math.max(max, last), 0);
  return {
    listings: rows.map(({ id, first, changes }) => [id, first, changes] as const),
    changes: rows.reduce((sum, row) => sum + row.changes, 0),
    through: newest === 0 ? null : String(newest),
  };
}

/** A listing of a set in its current state. */
export type ChangedListing = MovedByRun & {
  readonly marketplace: Marketplace;
  readonly title: string;
  readonly currentPrice: Cents;
  /** Before the first change of the set; null when that was its first price. */
  readonly oldPrice: Cents | null;
};

/** Current state of these listings, by ID. `isLatest`: only the set has changed the price since its first change. */
export async function readChangedListings(
  db: Db,
  changes: readonly ListingChanges[],
): Promise<ChangedListing[]> {
  if (changes.length === 0) return [];
  const column = (of: (one: ListingChanges) => number): SQL => sql`${sql.param(changes.map(of))}::bigint[]`;
  const { rows } = await db.execute<ChangedListing>(sql`
    SELECT l.id::float8 AS id, l.sku, l.marketplace, l.title, ${cents('l.current_price')} AS "currentPrice",
      ${cents('f.old_price')} AS "oldPrice", l.deleted_at IS NOT NULL AS "isDeleted",
      (SELECT count(*) FROM price_history h WHERE h.listing_id = l.id AND h.id >= s.first) = s.changes AS "isLatest"
    FROM unnest(${column(([id]) => id)}, ${column(([, first]) => first)}, ${column(([, , count]) => count)})
      AS s (id, first, changes)
    JOIN listings l ON l.id = s.id JOIN price_history f ON f.listing_id = s.id AND f.id = s.first
    ORDER BY l.id`);
  return rows;
}

/** A price of a set that buyers do not see yet. */
export interface OpenPrice extends Record<string, unknown> {
  readonly listingId: number;
  readonly intentId: number;
  /** Not sent yet. */
  readonly isQueued: boolean;
  /** The listing has no other price that buyers do not see yet. */
  readonly isOnly: boolean;
}

const OPEN = sql`('queued', 'sent', 'accepted', 'unknown')`;

/**
 * Open prices that a filter would show once they are confirmed, by listing; the filter's times are those of the
 * decisions.
 * @param through later ones are excluded; null includes all
 */
export async function readOpenPrices(
  db: Db,
  filter: HistoryFilter,
  through: string | null,
  now: Instant,
): Promise<OpenPrice[]> {
  const from = await historyFrom(
    db,
    filter,
    now,
    undefined,
    sql`(SELECT id, listing_id, source, run_id, rule_id, actor, created_at AS timestamp, state
      FROM price_intents WHERE state IN ${OPEN})`,
  );
  const until = through === null ? sql`` : sql`AND h.id <= ${through}::bigint`;
  const { rows } = await db.execute<OpenPrice>(sql`
    SELECT h.listing_id::float8 AS "listingId", h.id::float8 AS "intentId", h.state = 'queued' AS "isQueued",
      NOT EXISTS (SELECT FROM price_intents o WHERE o.listing_id = h.listing_id AND o.id <> h.id
        AND o.state IN ${OPEN}) AS "isOnly"
    ${from} ${until} ORDER BY 1, 2`);
  return rows;
}
