import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { Job, JobRefusals, JobRefusalsQuery, JobReport, Jobs, JobsQuery } from '#contract/jobs.ts';
import { Id } from '#contract/wire.ts';
import { listRefusals } from '#db/queries/background/job-refusals.ts';
import {
  findJob,
  type JobRow,
  type JobSummary,
  listFailedJobs,
  listJobs,
} from '#db/queries/background/jobs.ts';
import type { Instant } from '#domain/units.ts';
import type { AppDeps } from '#server/app-deps.ts';
import type { Downloads } from '#server/downloads.ts';
import { actorOf } from '#server/editor-of.ts';
import { AppError } from '#usecases/app-error.ts';
import { cancelJob } from '#usecases/background/cancel-job.ts';
import { exportRefusals } from '#usecases/catalog/exports/export-refusals.ts';

const SHOWN = 20;

const OneJob = z.strictObject({ id: Id });

export const jobRoutes: FastifyPluginAsyncZod<{ deps: AppDeps; downloads: Downloads }> = async (
  app,
  { deps, downloads },
) => {
  const jobOf = async (id: string): Promise<JobRow> => {
    const job = await findJob(deps.db, Number(id));
    if (job === null) throw new AppError('not_found', `There is no job ${id}.`);
    return job;
  };

  app.get(
    '/api/jobs',
    { config: { access: 'signedIn' }, schema: { querystring: JobsQuery, response: { 200: Jobs } } },
    async ({ query }) => {
      const { db, now } = deps;
      const found = await (query.state === 'failed' ? listFailedJobs(db, now()) : listJobs(db, SHOWN));
      return found.map(jobView);
    },
  );

  app.get(
    '/api/jobs/:id',
    { config: { access: 'signedIn' }, schema: { params: OneJob, response: { 200: JobReport } } },
    async ({ params }) => {
      const job = await jobOf(params.id);
      return { ...jobView(job), runId: job.runId === null ? null : String(job.runId) };
    },
  );

  app.get(
    '/api/jobs/:id/refusals',
    {
      config: { access: 'signedIn' },
      schema: { params: OneJob, querystring: JobRefusalsQuery, response: { 200: JobRefusals } },
    },
    async ({ params, query: { page, size } }) => {
      const { id } = await jobOf(params.id);
      const { rows, total } = await listRefusals(deps.db, id, page, size);
      return { rows: rows.map((row) => ({ ...row, listingId: String(row.listingId) })), total };
    },
  );

  app.get(
    '/api/jobs/:id/refusals.csv',
    { config: { access: 'signedIn' }, schema: { params: OneJob } },
    async (request, reply) => {
      const { id } = await jobOf(request.params.id);
      return downloads.send(request, reply, { name: `job-${id}-left-out.csv`, filter: {} }, (write) =>
        exportRefusals(deps.db, id, write),
      );
    },
  );

  app.post(
    '/api/jobs/:id/cancel',
    {
      config: { access: 'signedIn' },
      schema: { params: OneJob, response: { 200: Job } },
    },
    async (request) => {
      return jobView(await cancelJob(deps, Number(request.params.id), actorOf(request)));
    },
  );
};

const iso = (at: Instant | null): string | null => (at === null ? null : new Date(at).toISOString());

/** A job as its watchers see it. */
function jobView(job: JobSummary): Job {
  const { kind, title, state, done, failed, total, summary, link, createdBy } = job;
  return {
    id: String(job.id),
    kind,
    title,
    state,
    done,
    failed,
    total,
    summary,
    link,
    createdBy,
    createdAt: new Date(job.createdAt).toISOString(),
    startedAt: iso(job.startedAt),
    endedAt: iso(job.endedAt),
  };
}
