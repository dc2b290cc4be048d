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
import { containsPattern } from './listing-filter.ts';

const MOST_LABELS = 100;

export interface LabelCounts {
  /** The most frequent first. Those that differ in case alone are one. */
  readonly labels: { readonly label: string; readonly count: number }[];
  /** There are more. */
  readonly isCut: boolean;
  /** How many have no such label. */
  readonly none: number;
}

/** The labels of the living listings, and how many listings have each. @param q part of a label, in whatever case */
export function readListingLabels(db: Db, of: LabelField, q: string | undefined): Promise<LabelCounts> {
  return countLabels(db, labelsOfListings(of), sql`(${listingsWithout(of)}) bare`, q);
}

/** The same of the SKUs that are not deleted. */
export function readSkuLabels(db: Db, of: LabelField, q: string | undefined): Promise<LabelCounts> {
  const none = sql`skus s WHERE s.deleted_at IS NULL AND ${sql.join(skuLabelConditions({ [of]: '|' }))}`;
  return countLabels(db, labelsOfSkus(of), none, q);
}

async function countLabels(db: Db, told: SQL, none: SQL, q: string | undefined): Promise<LabelCounts> {
  const isLike = q ? sql`lower(label) LIKE ${containsPattern(q)}` : sql`true`;
  return readingList(db, async (snapshot) => {
    // Counted as they are written first: hundreds of groups are put together by small letters, not each row.
    const { rows } = await snapshot.execute<{ label: string; count: number }>(sql`
      SELECT (array_agg(label ORDER BY times DESC, label))[1] AS label, sum(times)::int AS count
      FROM (SELECT label, count(*) AS times FROM (${told}) told GROUP BY label) written
      WHERE ${isLike} GROUP BY lower(label) ORDER BY count DESC, lower(label) LIMIT ${MOST_LABELS + 1}`);
    return {
      labels: rows.slice(0, MOST_LABELS),
      isCut: rows.length > MOST_LABELS,
      none: await readNumber(snapshot, sql`SELECT count(*) AS number FROM ${none}`),
    };
  });
}
