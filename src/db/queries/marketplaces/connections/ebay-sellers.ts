import { sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { millis, timestamptz } from '#db/sql-values.ts';
import type { SellerKey } from '#domain/competition/offer.ts';
import type { Instant } from '#domain/units.ts';

/** What is stored instead of the name of another seller on eBay. */
export interface HiddenSeller {
  /** "Seller 3f9a": what users see. Thousands of sellers share one. */
  readonly label: string;
  /** 32 hex digits, keyed for this installation: finds what is stored of a seller whose account is deleted. */
  readonly hash: string;
}

/** What is stored for these sellers of eBay, by key; our own are omitted, and their names stay. */
export async function hiddenSellers(
  db: Db,
  keys: readonly SellerKey[],
): Promise<ReadonlyMap<SellerKey, HiddenSeller>> {
  if (keys.length === 0) return new Map();
  const { rows } = await db.execute<{ key: SellerKey; hash: string; label: string }>(sql`
    SELECT key, hash, ebay_seller_label(hash) AS label
    FROM (SELECT key, ebay_seller_hash(key) AS hash FROM unnest(${sql.param(keys)}::text[]) AS given (key)) h
    WHERE NOT EXISTS (SELECT FROM own_sellers o WHERE o.marketplace = 'ebay' AND o.seller_key = h.key)`);
  return new Map(rows.map(({ key, hash, label }) => [key, { hash, label }]));
}

/** Applies a change of your sellers on eBay to the stored offers: yours have names, all others labels. */
export async function rehideSellers(tx: Db): Promise<void> {
  await tx.execute(sql`
    UPDATE competitor_offers o SET seller_name = own.name, seller_key = own.seller_key, seller_hash = NULL
    FROM own_sellers own WHERE own.marketplace = 'ebay' AND o.seller_hash = ebay_seller_hash(own.seller_key)`);
  await tx.execute(sql`
    UPDATE competitor_offers o SET seller_name = h.label, seller_key = lower(h.label), seller_hash = h.hash
    FROM (
      SELECT o.id, hash, ebay_seller_label(hash) AS label
      FROM competitor_offers o JOIN listings l ON l.id = o.listing_id AND l.marketplace = 'ebay'
      CROSS JOIN LATERAL ebay_seller_hash(o.seller_key) hash
      WHERE o.seller_hash IS NULL AND o.seller_key IS NOT NULL AND NOT o.is_ours AND NOT EXISTS (
        SELECT FROM own_sellers own WHERE own.marketplace = 'ebay' AND own.seller_key = o.seller_key)) h
    WHERE h.id = o.id`);
}

/** The endpoint for eBay's messages about deleted accounts. */
export interface DeletionEndpoint {
  /** What eBay's form asks for: 64 hex digits. */
  readonly verificationToken: string;
  /** When eBay's last signed message arrived; null if never. */
  readonly noticedAt: Instant | null;
}

export async function readDeletionEndpoint(db: Db): Promise<DeletionEndpoint> {
  const { rows } = await db.execute<DeletionEndpoint & Record<string, unknown>>(sql`
    SELECT encode(sha256(convert_to(key || ' verification token', 'UTF8')), 'hex') AS "verificationToken",
      ${millis('noticed_at')} AS "noticedAt" FROM ebay_account_deletion`);
  const [row] = rows;
  if (row === undefined) throw new Error('The key for eBay is missing; the migrations write it.');
  return row;
}

/** Messages of one minute are recorded once: eBay sends those of all of its users. */
const MESSAGE_GRAIN = sql`interval '1 minute'`;

/**
 * Records a message about a deleted account, with its seller where offers of it are stored.
 * @param keys everything that identifies the account
 */
export async function noteDeletedSeller(tx: Db, keys: readonly SellerKey[], at: Instant): Promise<void> {
  await tx.execute(sql`
    UPDATE ebay_account_deletion SET noticed_at = ${timestamptz(at)}
    WHERE noticed_at IS NULL OR noticed_at < ${timestamptz(at)} - ${MESSAGE_GRAIN}`);
  await tx.execute(sql`
    INSERT INTO deleted_ebay_sellers (seller_hash, noticed_at)
    SELECT DISTINCT hash, ${timestamptz(at)} FROM unnest(${sql.param(keys)}::text[]) AS given (key)
    CROSS JOIN LATERAL ebay_seller_hash(key) hash
    WHERE EXISTS (SELECT FROM competitor_offers o WHERE o.seller_hash = hash)
    ON CONFLICT DO NOTHING`);
}

/** Why the competitors of a listing are not known after one of its offers was deleted. */
const FORGOTTEN = 'A seller deleted their eBay account, so the offers have to be read again.';

/**
 * Deletes the offers of sellers whose accounts were deleted. Their listings count as not read, and are read next: a
 * seller less is not known to be no competitor.
 * @returns how many offers there were
 */
export async function forgetDeletedSellers(tx: Db, at: Instant): Promise<number> {
  const { rows: deleted } = await tx.execute<{ hash: string }>(sql`
    DELETE FROM deleted_ebay_sellers RETURNING seller_hash AS hash`);
  if (deleted.length === 0) return 0;
  const { rows } = await tx.execute<{ id: number }>(sql`
    DELETE FROM competitor_offers WHERE seller_hash = ANY(${sql.param(deleted.map(({ hash }) => hash))}::text[])
    RETURNING listing_id::float8 AS id`);
  const ids = sql`${sql.param([...new Set(rows.map(({ id }) => id))])}::bigint[]`;
  await tx.execute(sql`
    UPDATE competition_readings SET read_at = NULL, coverage = NULL, source = NULL,
      unread_at = ${timestamptz(at)}, unread_reason = ${FORGOTTEN} WHERE listing_id = ANY(${ids})`);
  await tx.execute(sql`UPDATE marketplace_listings SET offers_read_at = NULL WHERE listing_id = ANY(${ids})`);
  return rows.length;
}
