import { sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { lockMoney } from '#db/queries/marketplaces/money/money.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import type { Instant } from '#domain/units.ts';
import { recordUnlistedSales } from './marketplace-figures.ts';

/** Listings per transaction, and order lines and amounts: the money of a marketplace is not booked meanwhile. */
const MAX_LISTINGS = 1_000;
const MAX_SALES = 1_000;
const MAX_AMOUNTS = 1_000;

/**
 * Matches order lines and amounts that had no listing with listings that were added, or got their SKU or item, after they
 * were read.
 * @returns whether any listing was due
 */
export async function matchLateListings(tx: Db, now: Instant): Promise<boolean> {
  const { rows: due } = await tx.execute<{ id: string; marketplace: Marketplace }>(sql`
    SELECT d.listing_id AS id, l.marketplace FROM money_match_due d JOIN listings l ON l.id = d.listing_id
    ORDER BY d.listing_id LIMIT ${MAX_LISTINGS} FOR UPDATE OF d SKIP LOCKED`);
  if (due.length === 0) return false;
  for (const marketplace of [...new Set(due.map(({ marketplace }) => marketplace))].sort()) {
    await lockMoney(tx, marketplace);
  }
  const listingIds = due.map(({ id }) => id);
  // Before their money, which is matched with the sales of its orders.
  const recorded = await recordUnlistedSales(tx, listingIds, now, MAX_SALES);
  const ids = sql.param(listingIds);
  const isLost = sql`e.marketplace = l.marketplace AND e.superseded_by IS NULL AND e.matched_by = 'marketplace'
    AND e.kind <> 'transfer'`;
  const { rows: lost } = await tx.execute<{ id: string }>(sql`
    SELECT e.id FROM unnest(${ids}::bigint[]) AS d (id) JOIN listings l ON l.id = d.id
    CROSS JOIN LATERAL (
      SELECT e.id FROM money_events e WHERE ${isLost} AND e.sku = l.sku
      UNION ALL
      SELECT e.id FROM money_events e WHERE ${isLost} AND e.sku IS NULL AND e.item_id = l.marketplace_item_id) e
    LIMIT ${MAX_AMOUNTS}`);
  if (lost.length > 0) {
    await tx.execute(sql`SELECT match_money(${sql.param(lost.map(({ id }) => id))}::bigint[])`);
  }
  // Of a full batch there may be more.
  if (lost.length < MAX_AMOUNTS && recorded < MAX_SALES) {
    await tx.execute(sql`DELETE FROM money_match_due WHERE listing_id = ANY(${ids}::bigint[])`);
  }
  return true;
}
