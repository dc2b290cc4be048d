import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import type { Instant } from '#domain/units.ts';
import { containsPattern, type ListingFilter, listingCondition } from './listing-filter.ts';

/** A trigram index needs three letters or digits in a row. */
const HAS_PIECE = /[\p{L}\p{N}]{3}/u;
/** Up to this many hits are looked up; a text with more is soon found in an index scan in any order. */
export const MAX_HITS = 20_000;
/** Up to this many, a page is made from the hits; with more, an index scan is faster. */
const FEW_HITS = 5_000;

/**
 * Listings with this text in SKU or title. Whether a text is rare or common decides how a page is read, and the planner
 * can only guess it.
 * @param among a condition over `listings`
 * @returns null when there are more than {@link MAX_HITS}, or the text is too short for the index
 */
export async function findNamed(db: Db, text: string, among: SQL): Promise<number[] | null> {
  if (!HAS_PIECE.test(text)) return null;
  // As one JSON text: a row object for each of thousands of IDs would take longer than the search.
  const { rows } = await db.execute<{ ids: number[] | null }>(sql`
    SELECT json_agg(id) AS ids FROM (
      SELECT id FROM listings WHERE ${among} AND lower(sku || E'\n' || title) LIKE ${containsPattern(text)}
      LIMIT ${MAX_HITS + 1}
    ) hits`);
  const ids = rows[0]?.ids ?? [];
  return ids.length > MAX_HITS ? null : ids;
}

/** Equivalent conditions over `listing_keys k`, each the faster one for its purpose. */
export interface SearchedConditions {
  readonly page: SQL;
  readonly count: SQL;
  /** Number of matching listings, if the search has found it. */
  readonly total: number | null;
}

/** The conditions of a filter, with the hits of its search looked up first. */
export async function searchedConditions(
  db: Db,
  filter: ListingFilter,
  now: Instant,
): Promise<SearchedConditions> {
  const condition = listingCondition(filter, now);
  const hits = filter.q ? await findNamed(db, filter.q, sql`deleted_at IS NULL`) : null;
  if (hits === null) return { page: condition, count: condition, total: null };
  const { q, ...rest } = filter;
  // A hit of the index contains the text, unless it spans the end of the SKU and the start of the title.
  const isExact = !q?.includes('\n');
  const ofHits = sql`k.listing_id = ANY(${sql.param(hits)}::bigint[]) AND ${isExact ? listingCondition(rest, now) : condition}`;
  const isAlone = isExact && Object.values(rest).every((part) => part === undefined);
  return {
    page: hits.length > FEW_HITS ? condition : ofHits,
    count: ofHits,
    total: isAlone ? hits.length : null,
  };
}
