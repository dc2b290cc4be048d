import { asc, eq, type SQL, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { feeTerms } from '#db/schema/fees.ts';
import { timestamptz } from '#db/sql-values.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import { type Bps, hours, type Instant, instant } from '#domain/units.ts';

/** What the fees of a marketplace depend on besides the category. */
export type FeeTerms = typeof feeTerms.$inferSelect;

/** The terms of every marketplace. */
export async function listFeeTerms(db: Db): Promise<FeeTerms[]> {
  return db.select().from(feeTerms).orderBy(asc(feeTerms.marketplace));
}

/** The plans that users have chosen, by marketplace. */
export async function readFeePlans(db: Db): Promise<Map<string, string>> {
  const terms = await listFeeTerms(db);
  return new Map(terms.flatMap(({ marketplace, plan }) => (plan === null ? [] : [[marketplace, plan]])));
}

/** Shares of the revenue. */
export interface LearnedShares {
  readonly adShare: Bps;
  readonly returnShare: Bps;
}

const LEARNED_FROM = hours(90 * 24);
/** Fewer sales say nothing. */
const FEWEST_SALES = 30;

/** What advertising and returns were of the revenue of the last 90 days, where there were sales enough. */
export async function readLearnedShares(db: Db, now: Instant): Promise<Map<Marketplace, LearnedShares>> {
  const share = (what: SQL): SQL =>
    sql`least(9999, greatest(0, ceil(10000 * sum(${what}) / sum(revenue))))::float8`;
  const { rows } = await db.execute<
    LearnedShares & { marketplace: Marketplace } & Record<string, unknown>
  >(sql`
    SELECT marketplace, ${share(sql`ads`)} AS "adShare", ${share(sql`refunds`)} AS "returnShare" FROM profit_totals
    WHERE day > (${timestamptz(instant(now - LEARNED_FROM))} AT TIME ZONE 'UTC')::date
    GROUP BY marketplace HAVING sum(sales) >= ${FEWEST_SALES} AND sum(revenue) > 0`);
  return new Map(
    rows.map(({ marketplace, adShare, returnShare }) => [marketplace, { adShare, returnShare }]),
  );
}

/** Marks the listings of the marketplace as due, by a trigger. */
export async function updateFeeTerms(tx: Db, { marketplace, ...terms }: FeeTerms): Promise<void> {
  await tx.update(feeTerms).set(terms).where(eq(feeTerms.marketplace, marketplace));
}
