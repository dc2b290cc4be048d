import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { timestamptz } from '#db/sql-values.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import type { Instant } from '#domain/units.ts';

/** SKUs that are named for each reason. */
const NAMED_SKUS = 5;

/**
 * The reason of a row of `marketplace_listings` not to change its price is in force. A price that is not in whole cents is
 * no such reason for users: their price replaces it.
 */
export function isReasonInForce(row: SQL, now: Instant): SQL {
  return sql`(${row}.not_repriceable_reason IS NOT NULL AND ${row}.price_not_in_cents IS NULL
    AND (${row}.reason_until IS NULL OR ${row}.reason_until > ${timestamptz(now)})
    AND (${row}.reason_expires_at IS NULL OR ${row}.reason_expires_at > ${timestamptz(now)}))`;
}

/** One reason not to change prices, with the listings it holds for. */
export interface ReasonOfListings extends Record<string, unknown> {
  readonly marketplace: Marketplace;
  readonly reason: string;
  /** A user's price is sent all the same once confirmed, for all of them. */
  readonly isConfirmable: boolean;
  /** When it ends for the last of them; null where that is not reported for all. */
  readonly until: Instant | null;
  readonly listings: number;
  /** The first of them. */
  readonly skus: readonly string[];
}

/** The reasons not to change the prices of these listings, where prices are sent; the most frequent first. */
export async function countReasons(
  db: Db,
  ids: readonly number[],
  now: Instant,
): Promise<ReasonOfListings[]> {
  if (ids.length === 0) return [];
  const { rows } = await db.execute<ReasonOfListings>(sql`
    SELECT l.marketplace, m.not_repriceable_reason AS reason, bool_and(m.reason_confirmable) AS "isConfirmable",
      CASE WHEN bool_and(m.reason_until IS NOT NULL)
        THEN round(date_part('epoch', max(m.reason_until)) * 1000) END AS until,
      count(*)::float8 AS listings, (array_agg(l.sku ORDER BY l.sku))[1:${NAMED_SKUS}::int] AS skus
    FROM ${sent(ids)}
    WHERE ${isReasonInForce(sql`m`, now)}
    GROUP BY l.marketplace, m.not_repriceable_reason ORDER BY listings DESC, reason`);
  return rows;
}

/** The reason of each of these listings, where prices are sent and there is one. */
export async function readReasons(
  db: Db,
  ids: readonly number[],
  now: Instant,
): Promise<ReadonlyMap<number, string>> {
  if (ids.length === 0) return new Map();
  const { rows } = await db.execute<{ id: number; reason: string }>(sql`
    SELECT l.id::float8 AS id, m.not_repriceable_reason AS reason
    FROM ${sent(ids)}
    WHERE ${isReasonInForce(sql`m`, now)}`);
  return new Map(rows.map(({ id, reason }) => [id, reason]));
}

function sent(ids: readonly number[]): SQL {
  return sql`unnest(${sql.param(ids)}::bigint[]) AS wanted (id)
    JOIN listings l ON l.id = wanted.id AND l.deleted_at IS NULL
    JOIN integrations w ON w.marketplace = l.marketplace AND w.price_channel = 'connected'
    JOIN marketplace_listings m ON m.listing_id = l.id`;
}
