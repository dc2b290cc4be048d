import { asc, eq, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { feeBands, feeSchedules } from '#db/schema/fees.ts';
import { setupFlags } from '#db/schema/settings.ts';
import type { CategoryFacts } from '#domain/fees/fee-category.ts';
import type { FeeOrigin, FeePublication } from '#domain/fees/fee-publication.ts';
import type { FeeBand, FeeSchedule } from '#domain/fees/fee-schedule.ts';
import { groupBy } from '#domain/group-by.ts';
import type { Marketplace } from '#domain/marketplaces.ts';
import type { Instant } from '#domain/units.ts';

/** A stored fee schedule. */
export interface StoredFees extends FeeSchedule {
  readonly id: number;
  readonly createdAt: Instant;
  readonly createdBy: string | null;
  readonly origin: FeeOrigin;
  /** Where a shipped schedule was read; null for a user's, and for shipped ones of releases that did not say. */
  readonly publication: FeePublication | null;
}

/** All fee schedules with their bands, oldest first. */
export async function listFees(db: Db): Promise<StoredFees[]> {
  const schedules = await db.select().from(feeSchedules).orderBy(asc(feeSchedules.id));
  const bands = await db
    .select()
    .from(feeBands)
    .orderBy(asc(feeBands.scheduleId), sql`${feeBands.upTo} nulls last`);
  const bandsOf = groupBy(bands, ({ scheduleId }) => scheduleId);
  return schedules.map(({ sourceTitle, sourceDate, confidence, note, ...schedule }) => ({
    ...schedule,
    publication:
      sourceTitle === null || confidence === null
        ? null
        : { title: sourceTitle, date: sourceDate, confidence, note },
    bands: (bandsOf.get(schedule.id) ?? []).map(
      ({ upTo, percent, percentTaxed, fixed, perUnit, minimum }): FeeBand => ({
        upTo,
        percent,
        percentTaxed,
        fixed,
        perUnit,
        minimum,
      }),
    ),
  }));
}

/** Locks fee schedules against changes until the end of the transaction; reads continue. */
export async function lockFees(tx: Db): Promise<void> {
  await tx.execute(sql`LOCK TABLE ${feeSchedules} IN SHARE ROW EXCLUSIVE MODE`);
}

/** Adds a user's schedule with its bands. @returns its ID */
export async function insertFees(
  tx: Db,
  { bands, ...schedule }: FeeSchedule,
  createdBy: string,
  now: Instant,
): Promise<number> {
  const [row] = await tx
    .insert(feeSchedules)
    .values({ ...schedule, createdBy, createdAt: now })
    .returning({ id: feeSchedules.id });
  if (row === undefined) throw new Error('An insert answered no row.');
  await tx.insert(feeBands).values(bands.map((band: FeeBand) => ({ ...band, scheduleId: row.id })));
  return row.id;
}

/** Deletes a schedule with its bands. */
export async function deleteFees(tx: Db, id: number): Promise<void> {
  await tx.delete(feeSchedules).where(eq(feeSchedules.id, id));
}

/** Number of listings with the same facts about their fee category. */
export interface CategoryUse extends CategoryFacts {
  readonly listings: number;
}

const CATEGORY_FACTS = sql`marketplace, fee_category AS "feeCategory", product_type AS "productType",
  external_category AS "externalCategory", accepted_category AS "acceptedCategory"`;

/** What the fee categories of listings are found from, in their spelling. */
export async function countFeeCategories(db: Db): Promise<CategoryUse[]> {
  const { rows } = await db.execute<CategoryUse & Record<string, unknown>>(sql`
    SELECT ${CATEGORY_FACTS}, count(*)::int AS listings FROM listings WHERE deleted_at IS NULL
    GROUP BY marketplace, fee_category, product_type, external_category, accepted_category
    ORDER BY listings DESC, marketplace, fee_category, product_type, external_category`);
  return rows;
}

/** When and by whom the fees were confirmed for the account; null before. */
export async function readFeesChecked(db: Db): Promise<{ at: Instant; by: string | null } | null> {
  const [row] = await db
    .select({ at: setupFlags.reachedAt, by: setupFlags.reachedBy })
    .from(setupFlags)
    .where(eq(setupFlags.name, 'fees_checked'));
  return row ?? null;
}

/** The listings on some marketplaces, after an ID, by ID, with what their fee category is found from. */
export async function pageOfListings(
  db: Db,
  marketplaces: readonly Marketplace[],
  after: number,
  most: number,
): Promise<(CategoryFacts & { readonly id: number })[]> {
  const { rows } = await db.execute<CategoryFacts & { id: number } & Record<string, unknown>>(sql`
    SELECT id::float8 AS id, ${CATEGORY_FACTS} FROM listings
    WHERE deleted_at IS NULL AND marketplace = ANY (${sql.param([...marketplaces])}::text[]) AND id > ${after}
    ORDER BY id LIMIT ${most}`);
  return rows;
}
