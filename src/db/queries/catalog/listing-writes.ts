import { and, asc, eq, isNull, type SQL, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { listings } from '#db/schema/listings.ts';
import { repricingRules } from '#db/schema/rules.ts';
import { isoTime, timestamptz } from '#db/sql-values.ts';
import type { Bps, Cents, Instant } from '#domain/units.ts';

export type ListingRecord = typeof listings.$inferSelect;

/** Fields that a user may set on a listing. Undefined is unchanged, null clears. */
export type ListingChange = {
  readonly [Field in
    | 'autoRepricingEnabled'
    | 'minPrice'
    | 'maxPrice'
    | 'shippingCost'
    | 'shippingCharge'
    | 'fulfillmentCost'
    | 'feeCategory'
    | 'feeRate'
    | 'feeRateBy'
    | 'adShare'
    | 'returnShare'
    | 'mapPrice'
    | 'mapFrom'
    | 'mapUntil'
    | 'externalPrice'
    | 'brand'
    | 'supplier'
    | 'ruleId']?: ListingRecord[Field] | undefined;
};

const among = (ids: readonly number[]): SQL => sql`${listings.id} = ANY(${sql.param(ids)}::bigint[])`;

/** Locks listings, in the same order as every transaction, and reads them, without deleted ones. */
export async function lockListings(tx: Db, ids: readonly number[]): Promise<ListingRecord[]> {
  return tx
    .select()
    .from(listings)
    .where(and(among(ids), isNull(listings.deletedAt)))
    .orderBy(asc(listings.id))
    .for('no key update');
}

/** Sets the same fields on all of them and counts one edit each. */
export async function updateListings(
  tx: Db,
  ids: readonly number[],
  change: ListingChange,
  now: Instant,
): Promise<void> {
  const { shippingCost, fulfillmentCost, externalPrice } = change;
  await tx
    .update(listings)
    .set({
      ...change,
      ...(shippingCost === undefined ? {} : { lastShippingCostUpdate: movedWith(shippingCost, now) }),
      ...(fulfillmentCost === undefined ? {} : { fulfillmentCostIsEstimate: false }),
      ...(externalPrice === undefined ? {} : { externalPriceAt: externalPrice === null ? null : now }),
      version: sql`${listings.version} + 1`,
      updatedAt: now,
    })
    .where(among(ids));
}

/** Sets each listing's own limits, and counts one edit each. */
export async function putLimits(
  tx: Db,
  rows: readonly { readonly id: number; readonly minPrice: Cents | null; readonly maxPrice: Cents | null }[],
  now: Instant,
): Promise<void> {
  const amounts = (values: readonly (Cents | null)[]): SQL => sql`${sql.param(values)}::bigint[]`;
  await tx.execute(sql`
    UPDATE listings l SET min_price = r.least / 100.0, max_price = r.most / 100.0, version = version + 1,
      updated_at = ${timestamptz(now)}
    FROM unnest(${sql.param(rows.map(({ id }) => id))}::bigint[],
      ${amounts(rows.map(({ minPrice }) => minPrice))}, ${amounts(rows.map(({ maxPrice }) => maxPrice))})
      AS r (id, least, most)
    WHERE l.id = r.id`);
}

/** Time of the last change of the shipping cost; saving the same value is none. */
function movedWith(shippingCost: Cents | null, now: Instant): SQL {
  return sql`CASE WHEN ${listings.shippingCost} IS DISTINCT FROM ${shippingCost} / 100.0
    THEN ${timestamptz(now)} ELSE ${listings.lastShippingCostUpdate} END`;
}

export interface NewHold {
  /** Null: until a user resumes it. */
  readonly until: Instant | null;
  readonly by: string;
  readonly reason: string;
}

/** Sets the hold of listings, or ends it with null. */
export async function writeHolds(
  tx: Db,
  ids: readonly number[],
  hold: NewHold | null,
  now: Instant,
): Promise<void> {
  await tx
    .update(listings)
    .set({
      heldUntil: hold?.until ?? null,
      heldBy: hold?.by ?? null,
      holdReason: hold?.reason ?? null,
      updatedAt: now,
    })
    .where(among(ids));
}

/** The columns of a hold; all null for none. */
export type HoldColumns = Pick<ListingRecord, 'heldUntil' | 'heldBy' | 'holdReason'>;

/** Sets each listing's own hold. */
export async function putHolds(
  tx: Db,
  rows: readonly (HoldColumns & { readonly id: number })[],
  now: Instant,
): Promise<void> {
  const texts = (values: readonly (string | null)[]): SQL => sql`${sql.param(values)}::text[]`;
  await tx.execute(sql`
    UPDATE listings l SET held_until = was.until::timestamptz, held_by = was.by, hold_reason = was.reason,
      updated_at = ${timestamptz(now)}
    FROM unnest(${sql.param(rows.map(({ id }) => id))}::bigint[],
      ${texts(rows.map(({ heldUntil }) => (heldUntil === null ? null : isoTime(heldUntil))))},
      ${texts(rows.map(({ heldBy }) => heldBy))},
      ${texts(rows.map(({ holdReason }) => holdReason))}) AS was (id, until, by, reason)
    WHERE l.id = was.id`);
}

/** Sets each listing's own mark "to upload". */
export async function putUploadMarks(
  tx: Db,
  rows: readonly { readonly id: number; readonly since: Instant | null }[],
  now: Instant,
): Promise<void> {
  const moments = rows.map(({ since }) => (since === null ? null : isoTime(since)));
  await tx.execute(sql`
    UPDATE listings l SET awaiting_upload_since = was.since, updated_at = ${timestamptz(now)}
    FROM unnest(${sql.param(rows.map(({ id }) => id))}::bigint[], ${sql.param(moments)}::timestamptz[]) AS was (id, since)
    WHERE l.id = was.id`);
}

/** Marks the fulfillment fees of listings as estimates again. */
export async function markEstimates(tx: Db, ids: readonly number[]): Promise<void> {
  if (ids.length > 0) await tx.update(listings).set({ fulfillmentCostIsEstimate: true }).where(among(ids));
}

/** Clears the marks "to upload". */
export async function clearUploadMarks(tx: Db, ids: readonly number[], now: Instant): Promise<void> {
  await tx.update(listings).set({ awaitingUploadSince: null, updatedAt: now }).where(among(ids));
}

/** Marks listings as deleted, or restores them with null. */
export async function writeDeleted(
  tx: Db,
  ids: readonly number[],
  deletedAt: Instant | null,
  now: Instant,
): Promise<void> {
  await tx.update(listings).set({ deletedAt, updatedAt: now }).where(among(ids));
}

/**
 * Locks deleted listings, the last deleted first, each with whether its marketplace has another one of the same SKU
 * now.
 */
export async function lockDeleted(
  tx: Db,
  ids: readonly number[],
): Promise<{ id: number; marketplace: string; sku: string; isTaken: boolean }[]> {
  const { rows } = await tx.execute<{ id: string; marketplace: string; sku: string; isTaken: boolean }>(sql`
    SELECT l.id, l.marketplace, l.sku, EXISTS (SELECT FROM listings other WHERE other.marketplace = l.marketplace
      AND other.sku = l.sku AND other.deleted_at IS NULL) AS "isTaken"
    FROM listings l WHERE l.id = ANY(${sql.param(ids)}::bigint[]) AND l.deleted_at IS NOT NULL
    ORDER BY l.deleted_at DESC, l.id FOR NO KEY UPDATE OF l`);
  return rows.map((row) => ({ ...row, id: Number(row.id) }));
}

/** Updates listings after a manual or applied price: no recommendation is left, and the price needs its upload. */
export async function settlePrices(
  tx: Db,
  rows: readonly { readonly listingId: number; readonly margin: Bps | null }[],
  now: Instant,
): Promise<void> {
  if (rows.length === 0) return;
  const ids = rows.map(({ listingId }) => listingId);
  await tx
    .update(listings)
    .set({ recommendedPrice: null, recommendedPriceReason: null, awaitingUploadSince: now, updatedAt: now })
    .where(among(ids));
  // Lists show the margin of the current price at once; the engine updates the rest.
  await tx.execute(sql`
    UPDATE listing_metrics m SET margin = moved.margin / 100.0
    FROM unnest(${sql.param(ids)}::bigint[], ${sql.param(rows.map(({ margin }) => margin))}::bigint[])
      AS moved (id, margin)
    WHERE m.listing_id = moved.id`);
}

/** Clears recommendations, since a price is in progress. */
export async function clearRecommendations(tx: Db, ids: readonly number[], now: Instant): Promise<void> {
  if (ids.length === 0) return;
  await tx
    .update(listings)
    .set({ recommendedPrice: null, recommendedPriceReason: null, updatedAt: now })
    .where(among(ids));
}

/** The listings among these with a recommended price, by ID. */
export async function withRecommendation(db: Db, ids: readonly number[]): Promise<number[]> {
  const rows = await db
    .select({ id: listings.id })
    .from(listings)
    .where(and(among(ids), isNull(listings.deletedAt), sql`${listings.recommendedPrice} IS NOT NULL`))
    .orderBy(asc(listings.id));
  return rows.map(({ id }) => id);
}

/** Whether a rule can be assigned; paused ones can. */
export async function ruleExists(db: Db, id: number): Promise<boolean> {
  const rows = await db
    .select({ id: repricingRules.id })
    .from(repricingRules)
    .where(and(eq(repricingRules.id, id), isNull(repricingRules.deletedAt)));
  return rows.length > 0;
}
