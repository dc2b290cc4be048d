import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { readNumber } from '#db/list-reading.ts';
import type { Instant } from '#domain/units.ts';

export interface Total {
  readonly total: number;
  readonly isTotalExact: boolean;
}

/** Up to this many rows are counted at once. */
const MAX_COUNTED = 100_000;
/** A large count is exact for this many milliseconds; then it is counted again in the background. */
const FRESH_FOR_MS = 5_000;
const MAX_CACHED = 200;

/** What is to be counted. */
export interface Countable {
  /** Identifies the set of rows. */
  readonly key: string;
  /** `FROM ... WHERE ...` */
  readonly from: SQL;
  /** Up to this many rows are counted at once, if that is less than usual. */
  readonly most?: number;
}

/** Number of rows in large lists, cached between requests. */
export interface ListTotals {
  /** The total; a large one is an estimate until its count is done. */
  read(snapshot: Db, countable: Countable, now: Instant): Promise<Total>;
  /** Resolves when every running count is done. */
  settled(): Promise<void>;
}

interface Remembered {
  readonly total: number;
  readonly at: Instant;
}

/**
 * @param db where long counts run, separate from the page's request
 * @param onFailure receives the error of a count; the list shows its estimate until another succeeds
 * @param maxCounted up to this many rows are counted at once
 */
export function createListTotals(
  db: Db,
  onFailure: (error: unknown) => void,
  maxCounted = MAX_COUNTED,
): ListTotals {
  const remembered = new Map<string, Remembered>();
  const counting = new Map<string, Promise<void>>();

  async function count(key: string, from: SQL, at: Instant): Promise<void> {
    try {
      const total = await readNumber(db, sql`SELECT count(*) AS number ${from}`);
      remembered.delete(key);
      remembered.set(key, { total, at });
      const [oldest] = remembered.keys();
      if (remembered.size > MAX_CACHED && oldest !== undefined) remembered.delete(oldest);
    } catch (error) {
      onFailure(error);
    } finally {
      counting.delete(key);
    }
  }

  return {
    read: async (snapshot, { key, from, most = maxCounted }, now) => {
      const limit = Math.min(most, maxCounted);
      const known = remembered.get(key);
      const isFresh = known !== undefined && now - known.at < FRESH_FOR_MS;
      if (isFresh && known.total > limit) return { total: known.total, isTotalExact: true };
      const counted = await readNumber(
        snapshot,
        sql`SELECT count(*) AS number FROM (SELECT ${from} LIMIT ${limit + 1}) counted`,
      );
      if (counted <= limit) return { total: counted, isTotalExact: true };
      if (!counting.has(key)) counting.set(key, count(key, from, now));
      return {
        total: known?.total ?? Math.max(counted, await estimate(snapshot, from)),
        isTotalExact: false,
      };
    },
    settled: async () => {
      await Promise.all(counting.values());
    },
  };
}

/** The planner's estimate, good enough for "about". */
async function estimate(db: Db, from: SQL): Promise<number> {
  const { rows } = await db.execute<{ 'QUERY PLAN': readonly [{ Plan: { 'Plan Rows': number } }] }>(
    sql`EXPLAIN (FORMAT JSON) SELECT ${from}`,
  );
  return rows[0]?.['QUERY PLAN'][0].Plan['Plan Rows'] ?? 0;
}
