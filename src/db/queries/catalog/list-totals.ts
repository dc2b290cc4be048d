import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { readNumber } from '#db/list-reading.ts';
import type { Instant } from '#domain/units.ts';

export interface Total {
  readonly total: number;
  readonly isTotalExact: boolean;
}

/** Counted on the spot up to here. */
const MOST_COUNTED = 100_000;
/** A large count stays exact for so many milliseconds; then it is counted again behind the scenes. */
const FRESH_FOR = 5_000;
const MOST_REMEMBERED = 200;

/** What is to be counted. */
export interface Countable {
  /** The same for the same rows. */
  readonly key: string;
  /** `FROM ... WHERE ...` */
  readonly from: SQL;
  /** Counted on the spot up to here, where that is less than usual. */
  readonly most?: number;
}

/** How many rows there are behind large lists, remembered between requests. */
export interface ListTotals {
  /** The total; a large one is an estimate until a count has come in. */
  read(snapshot: Db, countable: Countable, now: Instant): Promise<Total>;
  /** When every count under way has come in. */
  settled(): Promise<void>;
}

interface Remembered {
  readonly total: number;
  readonly at: Instant;
}

/**
 * @param db where the long counts run, apart from the page that asked
 * @param onFailure hears of a count that failed; the list shows its estimate meanwhile
 * @param mostCounted is counted on the spot
 */
export function createListTotals(
  db: Db,
  onFailure: (error: unknown) => void,
  mostCounted = MOST_COUNTED,
): ListTotals {
  const remembered = new Map<string, Remembered>();
  const counting = new Map<string, Promise<void>>();

  async function count(key: string, from: SQL, at: Instant): Promise<void> {
    try {
      const total = await readNumber(db, sql`SELECT count(*) AS number ${from}`);
      remembered.delete(key);
      remembered.set(key, { total, at });
      const [oldest] = remembered.keys();
      if (remembered.size > MOST_REMEMBERED && oldest !== undefined) remembered.delete(oldest);
    } catch (error) {
      onFailure(error);
    } finally {
      counting.delete(key);
    }
  }

  return {
    read: async (snapshot, { key, from, most = mostCounted }, now) => {
      const limit = Math.min(most, mostCounted);
      const known = remembered.get(key);
      const isFresh = known !== undefined && now - known.at < FRESH_FOR;
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

/** What the planner expects: near enough for "about". */
async function estimate(db: Db, from: SQL): Promise<number> {
  const { rows } = await db.execute<{ 'QUERY PLAN': readonly [{ Plan: { 'Plan Rows': number } }] }>(
    sql`EXPLAIN (FORMAT JSON) SELECT ${from}`,
  );
  return rows[0]?.['QUERY PLAN'][0].Plan['Plan Rows'] ?? 0;
}
