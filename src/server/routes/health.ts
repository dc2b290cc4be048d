import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { Liveness, Readiness } from '#contract/health.ts';
import { proveDatabaseWrite } from '#db/queries/health.ts';
import type { AppDeps } from '#server/app-deps.ts';

// Everybody may ask, but nobody can make the database write more often than this.
const FRESH_FOR = 1_000;

type Checks = Readiness['checks'];

function createDatabaseCheck(deps: AppDeps): () => Promise<Omit<Checks, 'accepting'>> {
  let checkedAt = Number.NEGATIVE_INFINITY;
  let latest: Promise<Omit<Checks, 'accepting'>>;
  async function check(): Promise<Omit<Checks, 'accepting'>> {
    try {
      await proveDatabaseWrite(deps.db);
      return { databaseWrite: true, schema: await deps.isSchemaCurrent() };
    } catch (error) {
      deps.log.warn({ err: error }, 'not ready: the database does not take writes');
      return { databaseWrite: false, schema: false };
    }
  }
  return () => {
    const now = deps.now();
    if (now - checkedAt >= FRESH_FOR) {
      checkedAt = now;
      latest = check();
    }
    return latest;
  };
}

export const healthRoutes: FastifyPluginAsyncZod<{ deps: AppDeps }> = async (app, { deps }) => {
  const checkDatabase = createDatabaseCheck(deps);

  app.get(
    '/healthz',
    { config: { access: 'public' }, schema: { response: { 200: Liveness } } },
    async () => ({ status: 'ok' }) as const,
  );

  app.get(
    '/readyz',
    { config: { access: 'public' }, schema: { response: { 200: Readiness, 503: Readiness } } },
    async (_request, reply) => {
      const checks: Checks = { ...(await checkDatabase()), accepting: deps.isAccepting() };
      const ready = Object.values(checks).every(Boolean);
      return reply.code(ready ? 200 : 503).send({ ready, checks });
    },
  );
};
