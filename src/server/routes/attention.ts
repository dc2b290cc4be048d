import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { ATTENTION_KINDS, Attention } from '#contract/attention.ts';
import { jobsSeenBy } from '#db/queries/background/jobs.ts';
import { readAttention } from '#db/queries/repricing/attention.ts';
import type { AppDeps } from '#server/app-deps.ts';
import { sessionOf } from '#server/request-guards.ts';

export const attentionRoutes: FastifyPluginAsyncZod<{ deps: AppDeps }> = async (app, { deps }) => {
  app.get(
    '/api/attention',
    { config: { access: 'loggedIn' }, schema: { response: { 200: Attention } } },
    async (request) => {
      const seenJobs = jobsSeenBy({ isAdmin: sessionOf(request).user.role === 'admin' });
      const { counts, ...rest } = await readAttention(deps.db, deps.now(), seenJobs);
      const items = ATTENTION_KINDS.map((kind) => ({ kind, count: counts[kind] }));
      return { ...rest, items: items.filter(({ count }) => count > 0) };
    },
  );
};
