import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import type { Instant } from '#domain/units.ts';
import { containsPattern, type ListingFilter, listingCondition } from './listing-filter.ts';

/** An index of three-letter pieces needs three letters or digits in a row. */
const HAS_PIECE = /[\p{L}\p{N}]{3}/u;
/** So many hits are looked up; of a text with more, the next one is never far on a walk through any order. */
export const MOST_HITS = 20_000;
/** Up to so many, a page is made of the hits; with more, a walk meets a page of them sooner. */
const FEW_HITS = 5_000;

/**
 * Listings with this text in SKU or title. Whether a text is rare or common decides how a page is found, and a planner
 * can only guess it.
 * @param among a condition over `listings`
 * @returns null when there are more than {@link MOST_HITS}, or the text is too short for the index
 */
export async function findNamed(db: Db, text: string, among: SQL): Promise<number[] | null> {
  if (!HAS_PIECE.test(text)) return null;
  // As one JSON text: a row object for each of thousands of ids would cost more than the search.
  const { rows } = await db.execute<{ ids: number[] | null }>(sql`
    SELECT json_agg(id) AS ids FROM (
      SELECT id FROM listings WHERE ${among} AND lower(sku || E'\n' || title) LIKE ${containsPattern(text)}
      LIMIT ${MOST_HITS + 1}
    ) hits`);
  const ids = rows[0]?.ids ?? [];
  return ids.length > MOST_HITS ? null : ids;
}

/** Conditions over `listing_keys k` that mean the same, each the quicker one for its purpose. */
export interface SearchedConditions {
  readonly page: SQL;
  readonly count: SQL;
  /** How many listings meet them, where the search has told already. */
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
  // A hit of the index has the text, unless it spans the end of the SKU and the start of the title.
  const isExact = !q?.includes('\n');
  const ofHits = sql`k.listing_id = ANY(${sql.param(hits)}::bigint[]) AND ${isExact ? listingCondition(rest, now) : condition}`;
  const isAlone = isExact && Object.values(rest).every((part) => part === undefined);
  return {
    page: hits.length > FEW_HITS ? condition : ofHits,
    count: ofHits,
    total: isAlone ? hits.length : null,
  };
}
