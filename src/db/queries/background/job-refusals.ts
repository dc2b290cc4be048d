import { asc, count, eq, sql } from 'drizzle-orm';
import type { Db } from '#db/client.ts';
import { eachBatch } from '#db/row-batches.ts';
import { jobRefusals } from '#db/schema/jobs.ts';

/** A listing that a job skipped, with the reason as a sentence. */
export type JobRefusal = Omit<typeof jobRefusals.$inferSelect, 'jobId'>;

/** Adds the skipped listings of one batch. A batch that is repeated after a crash adds them once. */
export async function insertRefusals(tx: Db, jobId: number, refused: readonly JobRefusal[]): Promise<void> {
  if (refused.length === 0) return;
  await tx
    .insert(jobRefusals)
    .values(refused.map((each) => ({ jobId, ...each })))
    .onConflictDoUpdate({
      target: [jobRefusals.jobId, jobRefusals.listingId],
      set: { message: sql`excluded.message` },
    });
}

/** A page of the listings that a job skipped, by listing. */
export async function listRefusals(
  db: Db,
  jobId: number,
  page: number,
  size: number,
): Promise<{ rows: JobRefusal[]; total: number }> {
  const ofJob = eq(jobRefusals.jobId, jobId);
  const { listingId, sku, message } = jobRefusals;
  const rows = await db
    .select({ listingId, sku, message })
    .from(jobRefusals)
    .where(ofJob)
    .orderBy(asc(listingId))
    .limit(size)
    .offset((page - 1) * size);
  const [counted] = await db.select({ total: count() }).from(jobRefusals).where(ofJob);
  return { rows, total: counted?.total ?? 0 };
}

/** A line of the file of skipped listings. */
export type RefusalFileRow = { readonly marketplace: string; readonly sku: string; readonly message: string };

/** Passes on all listings that a job skipped, by listing, batch by batch. */
export async function eachRefusal(
  db: Db,
  jobId: number,
  onRows: (rows: RefusalFileRow[]) => Promise<void>,
): Promise<void> {
  await eachBatch<RefusalFileRow>(
    db,
    async () => sql`
      SELECT l.marketplace, f.sku, f.message FROM job_refusals f JOIN listings l ON l.id = f.listing_id
      WHERE f.job_id = ${jobId} ORDER BY f.listing_id`,
    onRows,
  );
}
