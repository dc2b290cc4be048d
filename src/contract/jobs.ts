import { z } from 'zod';
import { Id, Moment, PageParam, sizeParam } from './fields.ts';

const JOB_KINDS = ['import', 'edit_listings', 'apply', 'export'] as const;
export const JOB_STATES = ['queued', 'running', 'done', 'partly_done', 'failed', 'cancelled'] as const;
export type JobState = (typeof JOB_STATES)[number];

/** Background work that is shown in the tray. `total` is null until it is known. */
export const Job = z.object({
  id: Id,
  kind: z.enum(JOB_KINDS),
  title: z.string(),
  state: z.enum(JOB_STATES),
  done: z.int(),
  failed: z.int(),
  total: z.int().nullable(),
  /** The result, in a sentence; null while it is running. */
  summary: z.string().nullable(),
  /** A page of the app with its report. */
  link: z.string().nullable(),
  createdBy: z.string(),
  createdAt: Moment,
  startedAt: Moment.nullable(),
  endedAt: Moment.nullable(),
});
export type Job = z.output<typeof Job>;

/** `failed`: all that failed in the last 7 days, instead of the newest 20. */
export const JobsQuery = z.strictObject({ state: z.literal('failed').optional() });

/** GET /api/jobs: the newest 20. POST /api/jobs/:id/cancel requests a job to stop after its current batch. */
export const Jobs = z.array(Job);

/** GET /api/jobs/:id: one job, with the run of the prices it changed; null for none. */
export const JobReport = Job.extend({ runId: Id.nullable() });
export type JobReport = z.output<typeof JobReport>;

export const JOB_REFUSALS_SIZES = [25, 50, 100] as const;

/** GET /api/jobs/:id/refusals: the listings it skipped, by listing. The same list as refusals.csv. */
export const JobRefusalsQuery = z.strictObject({
  page: PageParam,
  size: sizeParam(JOB_REFUSALS_SIZES, 50),
});
export const JobRefusals = z.object({
  rows: z.array(z.object({ listingId: Id, sku: z.string(), message: z.string() })),
  total: z.int(),
});
export type JobRefusals = z.output<typeof JobRefusals>;
