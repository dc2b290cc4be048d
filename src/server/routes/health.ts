import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { Liveness, Readiness } from '#contract/health.ts';
import { proveDatabaseWrite } from '#db/queries/background/health.ts';
import type { AppDeps } from '#server/app-deps.ts';

// Public, but the database is not written more often than this.
const FRESH_FOR = 1_000;
/** A frozen database returns nothing, not even an error; callers of readiness time out after a few seconds. */
const ANSWER_LIMIT = 2_000;

type Checks = Readiness['checks'];

type DatabaseChecks = Omit<Checks, 'accepting'>;

function createDatabaseCheck(deps: AppDeps): () => Promise<DatabaseChecks> {
  let checkedAt = Number.NEGATIVE_INFINITY;
  let asking = false;
  let latest: Promise<DatabaseChecks>;
  async function ask(): Promise<DatabaseChecks> {
    asking = true;
    try {
      await proveDatabaseWrite(deps.db);
      return { databaseWrite: true, schema: await deps.isSchemaCurrent() };
    } finally {
      asking = false;
    }
  }
  async function check(): Promise<DatabaseChecks> {
    try {
      return await inTime(ask());
    } catch (error) {
      deps.log.warn({ err: error }, 'not ready: the database does not take writes');
      return { databaseWrite: false, schema: false };
    }
  }
  return () => {
    const now = deps.now();
    // A pending query holds a connection: more of them would use up the pool.
    if (now - checkedAt >= FRESH_FOR && !asking) {
      checkedAt = now;
      latest = check();
    }
    return latest;
  };
}

/** @throws Error when there is no response within `ANSWER_LIMIT` */
async function inTime<T>(answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`No answer within ${ANSWER_LIMIT} ms.`)), ANSWER_LIMIT);
  });
  try {
    return await Promise.race([answer, limit]);
  } finally {
    clearTimeout(timer);
  }
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
