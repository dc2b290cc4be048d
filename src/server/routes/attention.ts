import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { ATTENTION_KINDS, Attention } from '#contract/attention.ts';
import { readAttention } from '#db/queries/repricing/attention.ts';
import type { AppDeps } from '#server/app-deps.ts';

export const attentionRoutes: FastifyPluginAsyncZod<{ deps: AppDeps }> = async (app, { deps }) => {
  app.get(
    '/api/attention',
    { config: { access: 'signedIn' }, schema: { response: { 200: Attention } } },
    async () => {
      const { counts, ...rest } = await readAttention(deps.db, deps.now());
      const items = ATTENTION_KINDS.map((kind) => ({ kind, count: counts[kind] }));
      return { ...rest, items: items.filter(({ count }) => count > 0) };
    },
  );
};
