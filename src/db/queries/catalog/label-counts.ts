import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { readingList, readNumber } from '#db/list-reading.ts';
import {
  type LabelField,
  labelsOfListings,
  labelsOfSkus,
  listingsWithout,
  skuLabelConditions,
} from './label-filter.ts';
import { LISTING_CATEGORY } from './listing-category.ts';
import { containsPattern } from './listing-filter.ts';

const MAX_LABELS = 100;

export interface LabelCounts {
  /** The most frequent first. Labels that differ only in case are one. */
  readonly labels: { readonly label: string; readonly count: number }[];
  /** There are more. */
  readonly isCut: boolean;
  /** Number without such a label. */
  readonly none: number;
}

/** The labels of live listings, and how many listings have each. @param q part of a label, ignoring case */
export function readListingLabels(
  db: Db,
  of: LabelField | 'category',
  q: string | undefined,
): Promise<LabelCounts> {
  if (of === 'category') return countCategories(db, q);
  return countLabels(db, labelsOfListings(of), sql`(${listingsWithout(of)}) bare`, q);
}

function countCategories(db: Db, q: string | undefined): Promise<LabelCounts> {
  const live = sql`FROM listings l WHERE l.deleted_at IS NULL AND ${LISTING_CATEGORY}`;
  const none = sql`listings l WHERE l.deleted_at IS NULL AND ${LISTING_CATEGORY} IS NULL`;
  return countLabels(db, sql`SELECT ${LISTING_CATEGORY} AS label ${live} IS NOT NULL`, none, q);
}

/** The same for SKUs that are not deleted. */
export function readSkuLabels(db: Db, of: LabelField, q: string | undefined): Promise<LabelCounts> {
  const none = sql`skus s WHERE s.deleted_at IS NULL AND ${sql.join(skuLabelConditions({ [of]: '|' }))}`;
  return countLabels(db, labelsOfSkus(of), none, q);
}

async function countLabels(db: Db, labels: SQL, none: SQL, q: string | undefined): Promise<LabelCounts> {
  const isLike = q ? sql`lower(label) LIKE ${containsPattern(q)}` : sql`true`;
  return readingList(db, async (snapshot) => {
    // Grouped by exact spelling first: lower case is computed for hundreds of groups, not for each row.
    const { rows } = await snapshot.execute<{ label: string; count: number }>(sql`
      SELECT (array_agg(label ORDER BY times DESC, label))[1] AS label, sum(times)::int AS count
      FROM (SELECT label, count(*) AS times FROM (${labels}) labels GROUP BY label) written
      WHERE ${isLike} GROUP BY lower(label) ORDER BY count DESC, lower(label) LIMIT ${MAX_LABELS + 1}`);
    return {
      labels: rows.slice(0, MAX_LABELS),
      isCut: rows.length > MAX_LABELS,
      none: await readNumber(snapshot, sql`SELECT count(*) AS number FROM ${none}`),
    };
  });
}
