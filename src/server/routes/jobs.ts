import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { Job, Jobs, JobsQuery } from '#contract/jobs.ts';
import { Id } from '#contract/wire.ts';
import { type JobSummary, listFailedJobs, listJobs } from '#db/queries/jobs.ts';
import type { Instant } from '#domain/units.ts';
import type { AppDeps } from '#server/app-deps.ts';
import { sessionOf } from '#server/guards.ts';
import { cancelJob } from '#usecases/jobs/cancel-job.ts';

const SHOWN = 20;

export const jobRoutes: FastifyPluginAsyncZod<{ deps: AppDeps }> = async (app, { deps }) => {
  app.get(
    '/api/jobs',
    { config: { access: 'signedIn' }, schema: { querystring: JobsQuery, response: { 200: Jobs } } },
    async ({ query }) => {
      const { db, now } = deps;
      const found = await (query.state === 'failed' ? listFailedJobs(db, now()) : listJobs(db, SHOWN));
      return found.map(jobView);
    },
  );

  app.post(
    '/api/jobs/:id/cancel',
    {
      config: { access: 'signedIn' },
      schema: { params: z.strictObject({ id: Id }), response: { 200: Job } },
    },
    async (request) => {
      const { user } = sessionOf(request);
      const by = { id: user.id, name: user.fullName };
      return jobView(await cancelJob(deps, Number(request.params.id), by));
    },
  );
};

const iso = (at: Instant | null): string | null => (at === null ? null : new Date(at).toISOString());

/** A job as its watchers see it. */
function jobView(job: JobSummary): Job {
  const { kind, title, state, done, failed, total, summary, link, createdBy } = job;
  return {
    id: String(job.id),
    ...{ kind, title, state, done, failed, total, summary, link, createdBy },
    createdAt: new Date(job.createdAt).toISOString(),
    startedAt: iso(job.startedAt),
    endedAt: iso(job.endedAt),
  };
}
