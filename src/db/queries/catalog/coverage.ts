import { sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import type { ListingProblem } from '#domain/decision/forecast.ts';

/** How much of the catalog can be repriced, without deleted listings. */
export type CoverageFigures = {
  readonly total: number;
  readonly repriceable: number;
  /** Not decided yet. */
  readonly undecided: number;
  /** The most frequent first. A listing counts once under each of its problems. */
  readonly problems: { problem: ListingProblem; count: number }[];
};

/** Counts in one statement, so that the figures agree with each other. */
export async function readCoverage(db: Db): Promise<CoverageFigures> {
  // An unknown cost is not counted as a problem: its gaps show what is missing.
  const { rows } = await db.execute<CoverageFigures>(sql`
    WITH found AS (
      SELECT problem, count(DISTINCT listing_id) AS count FROM listing_keys, unnest(problems) AS problem
      WHERE is_live AND problems <> '{}' AND problem <> 'unknown_cost' GROUP BY problem
    )
    SELECT count(*)::int AS total,
      (count(*) FILTER (WHERE is_repriceable))::int AS repriceable,
      (count(*) FILTER (WHERE is_repriceable IS NULL))::int AS undecided,
      coalesce((SELECT json_agg(json_build_object('problem', problem, 'count', count) ORDER BY count DESC, problem)
        FROM found), '[]') AS problems
    FROM listing_keys WHERE is_live`);
  const [row] = rows;
  if (!row) throw new Error('A count answered no row.');
  return row;
}
