import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { isoText, timestamptz } from '#db/sql-values.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import { hours, type Instant } from '#domain/units.ts';

/** Progress of a price, for screens. */
export type PriceInProgressRow = {
  readonly price: string;
  readonly state: 'queued' | 'sent' | 'accepted' | 'unknown' | 'rejected' | 'expired';
  readonly since: string;
  readonly marketplaceMessage: string | null;
  readonly pausedUntil: string | null;
  readonly isRefused: boolean;
};

/** A price that was not applied. */
export type FailedPriceRow = PriceInProgressRow & {
  readonly id: string;
  readonly listingId: string;
  readonly marketplace: Marketplace;
  readonly sku: string;
  readonly productTitle: string;
  readonly fromPrice: string;
  readonly actor: string | null;
};

const FAILED_PRICE_SHOWN_FOR = hours(7 * 24);
const MAX_SHOWN = 20;

/** An ended price without an error was withdrawn by a user; what the engine did not send is decided again. */
const isFailed = (intent: SQL, now: Instant): SQL => sql`
  ${intent}.settled_at > ${timestamptz(now - FAILED_PRICE_SHOWN_FOR)}
  AND (${intent}.state = 'rejected'
    OR (${intent}.state = 'expired' AND ${intent}.source <> 'rule' AND ${intent}.marketplace_message IS NOT NULL))`;

const since = (intent: SQL): SQL =>
  isoText(sql`coalesce(${intent}.settled_at, ${intent}.sent_at, ${intent}.created_at)`);

const pausedUntilOf = (now: Instant): SQL =>
  sql`CASE WHEN i.state = 'queued' AND i.paused_until > ${timestamptz(now)} THEN ${isoText(sql`i.paused_until`)} END`;

/** The newest open price of listing `l`, as JSON; null when there is none. */
export function priceInProgressOf(now: Instant): SQL {
  return sql`(SELECT CASE WHEN i.state IN ('queued', 'sent', 'accepted', 'unknown') OR ${isFailed(sql`i`, now)}
        OR (i.is_refusal_active AND i.from_price = l.current_price)
      THEN json_build_object('price', i.price::text, 'state', i.state, 'since', ${since(sql`i`)}, 'marketplaceMessage', i.marketplace_message,
        'pausedUntil', ${pausedUntilOf(now)}, 'isRefused', i.is_refusal_active) END
    FROM price_intents i WHERE i.listing_id = l.id ORDER BY i.sequence DESC LIMIT 1)`;
}

/** The newest prices that were rejected, not sent or of unknown result in the last week, and how many there are. */
export async function readFailedPrices(
  db: Db,
  listingId: number | null,
  now: Instant,
): Promise<{ readonly rows: FailedPriceRow[]; readonly total: number }> {
  const ofListing = listingId === null ? sql`true` : sql`i.listing_id = ${listingId}`;
  const newest = sql`NOT EXISTS (SELECT FROM price_intents n
    WHERE n.listing_id = i.listing_id AND n.sequence > i.sequence)`;
  const { rows } = await db.execute<FailedPriceRow & { total: number }>(sql`
    SELECT i.id::text AS id, i.listing_id::text AS "listingId", i.marketplace, l.sku, l.title AS "productTitle",
      i.price::text AS price, i.from_price::text AS "fromPrice", i.state, i.marketplace_message AS "marketplaceMessage", NULL AS "pausedUntil", i.is_refusal_active AS "isRefused", i.actor,
      ${since(sql`i`)} AS since, count(*) OVER ()::int AS total
    FROM (
      SELECT id FROM price_intents i WHERE i.state IN ('rejected', 'expired') AND ${isFailed(sql`i`, now)}
        AND (i.state = 'rejected' OR ${newest}) AND ${ofListing}
      UNION ALL
      SELECT id FROM price_intents i WHERE i.state = 'unknown' AND ${ofListing}
        AND NOT EXISTS (SELECT FROM price_intents n
          WHERE n.listing_id = i.listing_id AND n.sequence > i.sequence AND n.state = 'confirmed')
    ) failed JOIN price_intents i ON i.id = failed.id JOIN listings l ON l.id = i.listing_id
    ORDER BY coalesce(i.settled_at, i.sent_at) DESC, i.id DESC LIMIT ${MAX_SHOWN}`);
  return { rows: rows.map(({ total: _, ...row }) => row), total: rows[0]?.total ?? 0 };
}
