import type { FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { Id } from '#contract/fields.ts';
import { Job, JobRefusals, JobRefusalsQuery, JobReport, Jobs, JobsQuery } from '#contract/jobs.ts';
import { listRefusals } from '#db/queries/background/job-refusals.ts';
import {
  findJob,
  type JobRow,
  type JobSummary,
  jobsSeenBy,
  listFailedJobs,
  listJobs,
} from '#db/queries/background/jobs.ts';
import type { ImportRow } from '#db/queries/catalog/imports.ts';
import type { Instant } from '#domain/units.ts';
import type { AppDeps } from '#server/app-deps.ts';
import type { Downloads } from '#server/downloads.ts';
import { actorOf } from '#server/editor-of.ts';
import { uploaderOf } from '#server/uploader-of.ts';
import { AppError } from '#usecases/app-error.ts';
import { cancelJob } from '#usecases/background/cancel-job.ts';
import { exportRefusals } from '#usecases/catalog/exports/export-refusals.ts';
import { kindsFor, requireChange } from '#usecases/catalog/imports/import-roles.ts';
import { importOfJob } from '#usecases/catalog/imports/job-of-import.ts';

const SHOWN = 20;

const OneJob = z.strictObject({ id: Id });

export const jobRoutes: FastifyPluginAsyncZod<{ deps: AppDeps; downloads: Downloads }> = async (
  app,
  { deps, downloads },
) => {
  /** A job that the caller may see: those of fee files are for administrators, like the fees. */
  const seenJob = async (
    request: FastifyRequest,
    id: string,
  ): Promise<{ readonly job: JobRow; readonly file: ImportRow | null }> => {
    const job = await findJob(deps.db, Number(id));
    const file = job === null ? null : await importOfJob(deps.db, job);
    const isSeen = file === null || kindsFor(uploaderOf(request)).includes(file.kind);
    if (job === null || !isSeen) throw new AppError('not_found', `There is no job ${id}.`);
    return { job, file };
  };
  const jobOf = async (request: FastifyRequest, id: string): Promise<JobRow> =>
    (await seenJob(request, id)).job;

  app.get(
    '/api/jobs',
    { config: { access: 'loggedIn' }, schema: { querystring: JobsQuery, response: { 200: Jobs } } },
    async (request) => {
      const { db, now } = deps;
      const seen = jobsSeenBy(uploaderOf(request));
      const isFailed = request.query.state === 'failed';
      const found = await (isFailed ? listFailedJobs(db, now(), seen) : listJobs(db, SHOWN, seen));
      return found.map(jobView);
    },
  );

  app.get(
    '/api/jobs/:id',
    { config: { access: 'loggedIn' }, schema: { params: OneJob, response: { 200: JobReport } } },
    async (request) => {
      const job = await jobOf(request, request.params.id);
      return { ...jobView(job), runId: job.runId === null ? null : String(job.runId) };
    },
  );

  app.get(
    '/api/jobs/:id/refusals',
    {
      config: { access: 'loggedIn' },
      schema: { params: OneJob, querystring: JobRefusalsQuery, response: { 200: JobRefusals } },
    },
    async (request) => {
      const { page, size } = request.query;
      const { id } = await jobOf(request, request.params.id);
      const { rows, total } = await listRefusals(deps.db, id, page, size);
      return { rows: rows.map((row) => ({ ...row, listingId: String(row.listingId) })), total };
    },
  );

  app.get(
    '/api/jobs/:id/refusals.csv',
    { config: { access: 'loggedIn' }, schema: { params: OneJob } },
    async (request, reply) => {
      const { id } = await jobOf(request, request.params.id);
      return downloads.send(request, reply, { name: `job-${id}-left-out.csv`, filter: {} }, (write) =>
        exportRefusals(deps.db, id, write),
      );
    },
  );

  app.post(
    '/api/jobs/:id/cancel',
    {
      config: { access: 'loggedIn' },
      schema: { params: OneJob, response: { 200: Job } },
    },
    async (request) => {
      const { job, file } = await seenJob(request, request.params.id);
      // Stopping price changes is for all users, like a halt; an import is stopped by those who may run it.
      if (file !== null) requireChange(file, uploaderOf(request));
      return jobView(await cancelJob(deps, job.id, actorOf(request)));
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
