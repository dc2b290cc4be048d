import { and, eq, inArray, isNull, lte, or, type SQL, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { listingMigrations } from '#db/schema/listing-migrations.ts';
import { timestamptz } from '#db/sql-values.ts';
import type { ListingChannel } from '#domain/connections/listing-channel.ts';
import type { MigrationState } from '#domain/connections/listing-migration.ts';
import type { FulfillmentType, Marketplace } from '#domain/marketplaces.ts';
import type { Instant } from '#domain/units.ts';

export type ListingMigrationRow = typeof listingMigrations.$inferSelect;

/** A listing of the marketplace that is outside of its Inventory model, with ours that it holds. */
export interface MigratableItem extends Record<string, unknown> {
  readonly itemId: string;
  /** Of the first of ours. */
  readonly title: string;
  /** In their order. */
  readonly skus: readonly string[];
}

/** The marketplace's number of a listing of ours `l` with its row `m` of marketplace_listings. */
const ITEM_ID = sql`coalesce(m.keys->>'listingId', l.marketplace_item_id)`;

/** Items that are for sale, at a fixed price, and outside of the Inventory model. */
function outside(marketplace: Marketplace, also: SQL): SQL {
  return sql`
    FROM listings l JOIN marketplace_listings m ON m.listing_id = l.id
    WHERE l.marketplace = ${marketplace} AND l.deleted_at IS NULL AND m.channel = 'trading' AND m.is_active
      AND m.unseen_since IS NULL AND ${ITEM_ID} ~ '^[0-9]{1,30}$' AND ${also}`;
}

/**
 * Items that can be requested, by their SKUs, without those that were requested and have not ended.
 * @param search part of a SKU, title or item number, in lower case; "" for all
 * @returns at most `max` of them, and how many there are
 */
export async function listMigratableItems(
  db: Db,
  marketplace: Marketplace,
  search: string,
  max: number,
): Promise<{ readonly items: readonly MigratableItem[]; readonly total: number }> {
  const found =
    search === ''
      ? sql`true`
      : sql`strpos(lower(l.sku || ' ' || l.title || ' ' || ${ITEM_ID}), ${search}) > 0`;
  const { rows } = await db.execute<MigratableItem & { readonly total: number }>(sql`
    WITH items AS (SELECT DISTINCT ${ITEM_ID} AS id ${outside(marketplace, found)}),
    open_items AS (SELECT id FROM items WHERE NOT EXISTS (SELECT FROM listing_migrations g
      WHERE g.marketplace = ${marketplace} AND g.item_id = items.id AND g.ended_at IS NULL))
    SELECT ${ITEM_ID} AS "itemId", (array_agg(l.title ORDER BY lower(l.sku), l.id))[1] AS title,
      array_agg(l.sku ORDER BY lower(l.sku), l.id) AS skus, (SELECT count(*) FROM open_items)::float8 AS total
    ${outside(marketplace, sql`${ITEM_ID} IN (SELECT id FROM open_items)`)}
    GROUP BY 1 ORDER BY min(lower(l.sku)), 1 LIMIT ${max}`);
  return { items: rows.map(({ total: _, ...item }) => item), total: rows[0]?.total ?? 0 };
}

/** Those of these items that can be requested. */
export async function readMigratableItems(
  tx: Db,
  marketplace: Marketplace,
  itemIds: readonly string[],
): Promise<readonly MigratableItem[]> {
  const { rows } = await tx.execute<MigratableItem>(sql`
    SELECT ${ITEM_ID} AS "itemId", (array_agg(l.title ORDER BY lower(l.sku), l.id))[1] AS title,
      array_agg(l.sku ORDER BY lower(l.sku), l.id) AS skus
    ${outside(
      marketplace,
      sql`${ITEM_ID} = ANY(${sql.param(itemIds)}::text[]) AND NOT EXISTS (SELECT FROM listing_migrations g
      WHERE g.marketplace = ${marketplace} AND g.item_id = ${ITEM_ID} AND g.ended_at IS NULL)`,
    )} GROUP BY 1`);
  return rows;
}

/** Writes down that items are to be migrated, in place of what became of them before. */
export async function writeMigrationRequests(
  tx: Db,
  rows: readonly Pick<ListingMigrationRow, 'marketplace' | 'itemId' | 'generation' | 'askedBy' | 'askedAt'>[],
): Promise<void> {
  if (rows.length === 0) return;
  await tx
    .insert(listingMigrations)
    .values(rows.map((row) => ({ ...row, state: 'waiting' as const, nextAt: row.askedAt })))
    .onConflictDoUpdate({
      target: [listingMigrations.marketplace, listingMigrations.itemId],
      set: {
        state: sql`excluded.state`,
        generation: sql`excluded.generation`,
        askedBy: sql`excluded.asked_by`,
        askedAt: sql`excluded.asked_at`,
        nextAt: sql`excluded.next_at`,
        sentAt: null,
        endedAt: null,
        message: null,
      },
    });
}

/** What was requested: what has not ended first, then the newest. */
export async function listMigrations(
  db: Db,
  marketplace: Marketplace,
  max: number,
): Promise<ListingMigrationRow[]> {
  return db
    .select()
    .from(listingMigrations)
    .where(eq(listingMigrations.marketplace, marketplace))
    .orderBy(
      sql`${listingMigrations.endedAt} IS NOT NULL, ${listingMigrations.endedAt} DESC, ${listingMigrations.askedAt}, ${listingMigrations.itemId}`,
    )
    .limit(max);
}

/** Whether there is something to send, to read back or to give up. @param lostBefore calls that left before have ended */
export async function hasMigrationsDue(
  db: Db,
  marketplace: Marketplace,
  now: Instant,
  lostBefore: Instant,
): Promise<boolean> {
  const rows = await db
    .select({ itemId: listingMigrations.itemId })
    .from(listingMigrations)
    .where(and(isOpen(marketplace), isDue(now, lostBefore)))
    .limit(1);
  return rows.length > 0;
}

/** A price of an item's listings that may be on its way. */
const HAS_OPEN_PRICE = sql`EXISTS (SELECT FROM listings l JOIN marketplace_listings m ON m.listing_id = l.id
  JOIN price_intents i ON i.listing_id = l.id AND i.state IN ('sent', 'accepted', 'unknown')
  WHERE l.marketplace = ${listingMigrations.marketplace} AND ${ITEM_ID} = ${listingMigrations.itemId})`;

/**
 * What is due, locked: the longest due first. Those that wait to be sent only while no price of theirs is on its way.
 * @param lostBefore as in {@link hasMigrationsDue}
 */
export async function takeMigrations(
  tx: Db,
  marketplace: Marketplace,
  max: number,
  now: Instant,
  lostBefore: Instant,
): Promise<ListingMigrationRow[]> {
  return tx
    .select()
    .from(listingMigrations)
    .where(
      and(
        isOpen(marketplace),
        isDue(now, lostBefore),
        or(sql`${listingMigrations.state} <> 'waiting'`, sql`NOT ${HAS_OPEN_PRICE}`),
      ),
    )
    .orderBy(listingMigrations.nextAt, listingMigrations.itemId)
    .limit(max)
    .for('update');
}

/** What waited since before that time, or for another account, locked. */
export async function takeOutdatedMigrations(
  tx: Db,
  marketplace: Marketplace,
  generation: number,
  askedBefore: Instant,
): Promise<ListingMigrationRow[]> {
  return tx
    .select()
    .from(listingMigrations)
    .where(
      and(
        isOpen(marketplace),
        or(
          and(eq(listingMigrations.state, 'waiting'), lte(listingMigrations.askedAt, askedBefore)),
          sql`${listingMigrations.generation} <> ${generation}`,
        ),
      ),
    )
    .for('update');
}

/** Ends everything that was requested and has not ended, of every marketplace. @param message the reason, for screens */
export async function endOpenMigrations(tx: Db, message: string, now: Instant): Promise<void> {
  await tx
    .update(listingMigrations)
    .set({ state: 'refused', endedAt: now, message })
    .where(isNull(listingMigrations.endedAt));
}

function isOpen(marketplace: Marketplace): SQL | undefined {
  return and(eq(listingMigrations.marketplace, marketplace), isNull(listingMigrations.endedAt));
}

function isDue(now: Instant, lostBefore: Instant): SQL {
  return sql`(${listingMigrations.nextAt} <= ${timestamptz(now)}
    AND (${listingMigrations.state} <> 'sent' OR ${listingMigrations.sentAt} <= ${timestamptz(lostBefore)}))`;
}

/** The listings of ours that items hold, with what calls need. */
export interface MigratedListing extends Record<string, unknown> {
  readonly item: string;
  readonly listingId: number;
  readonly sku: string;
  readonly fulfillmentType: FulfillmentType;
  readonly itemId: string | null;
  readonly keys: Readonly<Record<string, string>>;
  readonly channel: ListingChannel | null;
}

/** Also those that are in the Inventory model by now. */
export async function readListingsOfItems(
  tx: Db,
  marketplace: Marketplace,
  itemIds: readonly string[],
): Promise<MigratedListing[]> {
  const { rows } = await tx.execute<MigratedListing>(sql`
    SELECT ${ITEM_ID} AS item, l.id::float8 AS "listingId", l.sku, l.fulfillment_type AS "fulfillmentType",
      l.marketplace_item_id AS "itemId", m.keys, m.channel
    FROM listings l JOIN marketplace_listings m ON m.listing_id = l.id
    WHERE l.marketplace = ${marketplace} AND l.deleted_at IS NULL
      AND ${ITEM_ID} = ANY(${sql.param(itemIds)}::text[]) ORDER BY l.id`);
  return rows;
}

/** Sets the state of items that have not ended. */
export async function writeMigrationState(
  tx: Db,
  marketplace: Marketplace,
  itemIds: readonly string[],
  state: MigrationState,
  set: Partial<Pick<ListingMigrationRow, 'nextAt' | 'sentAt' | 'endedAt' | 'message'>>,
): Promise<void> {
  if (itemIds.length === 0) return;
  await tx
    .update(listingMigrations)
    .set({ ...set, state })
    .where(and(isOpen(marketplace), inArray(listingMigrations.itemId, [...itemIds])));
}
