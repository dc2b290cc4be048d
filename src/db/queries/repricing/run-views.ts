import { and, asc, count, desc, eq, gt, gte, inArray, isNotNull, lt, or, type SQL, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { countedCharge } from '#db/queries/catalog/counted-charge.ts';
import { allSoldIn30Days, unitsIn30Days } from '#db/queries/catalog/listing-money.ts';
import { listings } from '#db/schema/listings.ts';
import { type Outcome, repricingRuns, runItems } from '#db/schema/runs.ts';
import type { Instant } from '#domain/units.ts';
import { changesOfRuns, equalSales, HAS_MARGINS } from './equal-sales.ts';
import type { RunRow } from './runs.ts';

/** Which runs; all conditions apply together. */
export interface RunsFilter {
  /** True: only those with new decisions or that were stopped; false: only the others. */
  readonly withEffect: boolean | null;
  /** Only those that a user started, or that were stopped or failed. */
  readonly only?: 'people' | 'stopped' | undefined;
  /** Started at this time or later. */
  readonly since?: Instant | undefined;
  /** Started before this time. */
  readonly until?: Instant | undefined;
}

/** A page of runs, the newest first. */
export async function listRuns(
  db: Db,
  page: number,
  size: number,
  { withEffect, only, since, until }: RunsFilter,
): Promise<{ rows: RunRow[]; total: number }> {
  const hasEffect = or(
    gt(repricingRuns.changed, 0),
    // Not the count: a repeated recommendation is not new.
    sql`exists (select from ${runItems} where ${runItems.runId} = ${repricingRuns.id})`,
    inArray(repricingRuns.state, ['queued', 'running', 'stopped', 'failed']),
  );
  const where = and(
    withEffect === null ? undefined : withEffect ? hasEffect : sql`NOT ${hasEffect}`,
    only === 'people' ? isNotNull(repricingRuns.startedBy) : undefined,
    only === 'stopped' ? inArray(repricingRuns.state, ['stopped', 'failed']) : undefined,
    since === undefined ? undefined : gte(repricingRuns.startedAt, since),
    until === undefined ? undefined : lt(repricingRuns.startedAt, until),
  );
  const rows = await db
    .select()
    .from(repricingRuns)
    .where(where)
    .orderBy(desc(repricingRuns.startedAt), desc(repricingRuns.id))
    .limit(size)
    .offset((page - 1) * size);
  return { rows, total: await countRows(db, repricingRuns, where) };
}

export async function findRun(db: Db, id: number): Promise<RunRow | null> {
  const [row] = await db.select().from(repricingRuns).where(eq(repricingRuns.id, id));
  return row ?? null;
}

/** Results of the prices that a run sent to connected marketplaces; kept for 30 days. */
export type SentByRun = {
  readonly confirmed: number;
  readonly inProgress: number;
  readonly notApplied: number;
};

/** @returns null when it sent none */
export async function readSentByRun(db: Db, id: number): Promise<SentByRun | null> {
  const { rows } = await db.execute<SentByRun & { all: number }>(sql`
    SELECT count(*)::int AS all, count(*) FILTER (WHERE state = 'confirmed')::int AS confirmed,
      count(*) FILTER (WHERE settled_at IS NULL AND NOT superseded)::int AS "inProgress"
    FROM (SELECT i.state, i.settled_at, EXISTS (SELECT FROM price_intents n WHERE n.listing_id = i.listing_id
        AND n.sequence > i.sequence AND n.state = 'confirmed') AS superseded
      FROM price_intents i WHERE i.run_id = ${id}) sent`);
  const [row] = rows;
  if (row === undefined || row.all === 0) return null;
  const { confirmed, inProgress } = row;
  return { confirmed, inProgress, notApplied: row.all - confirmed - inProgress };
}

const MOVED = sql`(count(*) FILTER (WHERE change.price > change.old_price))::int AS up,
  (count(*) FILTER (WHERE change.price < change.old_price))::int AS down,
  (count(*) FILTER (WHERE ${HAS_MARGINS}))::int AS "equalSalesOf"`;

/** What the changed prices of a run mean. */
export type RunMoney = {
  readonly up: number;
  readonly down: number;
  readonly equalSales: string | null;
  /** The number of changes whose margins are known: the others are not part of the sums. */
  readonly equalSalesOf: number;
  readonly marginBefore: string | null;
  readonly marginAfter: string | null;
};

/** Prices that users applied or undid are among them once they are confirmed. @param now last of the 30 days of sales */
export async function readRunMoney(db: Db, id: number, now: Instant): Promise<RunMoney> {
  const revenue = (price: string): SQL => sql.raw(`(change.${price} + ${countedCharge()})`);
  const share = (margin: string, price: string): SQL =>
    sql`trunc(sum(${sql.raw(`change.${margin}`)} * ${revenue(price)}) FILTER (WHERE ${HAS_MARGINS})
      / nullif(sum(${revenue(price)}) FILTER (WHERE ${HAS_MARGINS}), 0), 2)::text`;
  const units = unitsIn30Days(now, sql`change.listing_id`);
  const { rows } = await db.execute<RunMoney>(sql`
    SELECT ${MOVED}, round(sum(${equalSales('change', sql.raw(countedCharge()), units)}), 2)::text AS "equalSales",
      ${share('margin_before', 'old_price')} AS "marginBefore", ${share('margin_after', 'price')} AS "marginAfter"
    FROM ${changesOfRuns(sql`(${id})`)} JOIN listings l ON l.id = change.listing_id`);
  const [money] = rows;
  if (money === undefined) throw new Error('An aggregate returned no row.');
  return money;
}

/** Up, down and the worth of a run's changes, as {@link RunMoney}. */
export type ListedRunMoney = Pick<RunMoney, 'up' | 'down' | 'equalSales' | 'equalSalesOf'>;

/** By id; a run that changed no price is not part of it. @param now last of the 30 days of sales */
export async function readRunsMoney(
  db: Db,
  ids: readonly number[],
  now: Instant,
): Promise<ReadonlyMap<number, ListedRunMoney>> {
  if (ids.length === 0) return new Map();
  const { rows } = await db.execute<ListedRunMoney & { id: number }>(sql`
    SELECT change.run_id::int AS id, ${MOVED},
      round(sum(${equalSales('change', sql.raw(countedCharge()), sql`recent.units`)}), 2)::text AS "equalSales"
    FROM ${changesOfRuns(sql`${[...ids]}`)} JOIN listings l ON l.id = change.listing_id
      ${allSoldIn30Days(now, sql`change.listing_id`)}
    GROUP BY change.run_id`);
  return new Map(rows.map(({ id, ...money }) => [id, money]));
}

/** A decision of a run with its listing. */
export type RunItemRow = typeof runItems.$inferSelect &
  Pick<typeof listings.$inferSelect, 'marketplace' | 'sku' | 'title'>;

const ITEM = {
  item: runItems,
  marketplace: listings.marketplace,
  sku: listings.sku,
  title: listings.title,
} as const;

type Joined = Pick<RunItemRow, 'marketplace' | 'sku' | 'title'> & { item: typeof runItems.$inferSelect };
const flat = ({ item, ...listing }: Joined): RunItemRow => ({ ...item, ...listing });

const ofRun = (runId: number, outcome: Outcome | null): SQL | undefined =>
  and(eq(runItems.runId, runId), outcome === null ? undefined : eq(runItems.outcome, outcome));

/** With what its price earns more a week at the sales of the last 30 days, "-1.25"; null when unknown. */
export type ValuedRunItem = RunItemRow & { readonly equalSales: string | null };

/** A page of a run's decisions, by listing. @param now last of the 30 days of sales */
export async function listRunItems(
  db: Db,
  runId: number,
  page: number,
  size: number,
  outcome: Outcome | null,
  now: Instant,
): Promise<{ rows: ValuedRunItem[]; total: number }> {
  const units = unitsIn30Days(now, sql.raw('run_items.listing_id'));
  const equal = equalSales('run_items', sql.raw(countedCharge('listings')), units);
  const rows = await db
    .select({ ...ITEM, equalSales: sql<string | null>`round(${equal}, 2)::text` })
    .from(runItems)
    .innerJoin(listings, eq(listings.id, runItems.listingId))
    .where(ofRun(runId, outcome))
    .orderBy(asc(runItems.listingId))
    .limit(size)
    .offset((page - 1) * size);
  return {
    rows: rows.map(({ equalSales: value, ...row }) => ({ ...flat(row), equalSales: value })),
    total: await countRows(db, runItems, ofRun(runId, outcome)),
  };
}

/** A run's decisions for the listings after a cursor, by listing: an export reads on without counting. */
export async function readRunItemsFrom(
  db: Db,
  runId: number,
  fromListing: number,
  most: number,
): Promise<RunItemRow[]> {
  const rows = await db
    .select(ITEM)
    .from(runItems)
    .innerJoin(listings, eq(listings.id, runItems.listingId))
    .where(and(eq(runItems.runId, runId), gte(runItems.listingId, fromListing)))
    .orderBy(asc(runItems.listingId))
    .limit(most);
  return rows.map(flat);
}

async function countRows(
  db: Db,
  table: typeof repricingRuns | typeof runItems,
  where: SQL | undefined,
): Promise<number> {
  const [row] = await db.select({ rows: count() }).from(table).where(where);
  return row?.rows ?? 0;
}
