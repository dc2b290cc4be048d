import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { FirstAdmin } from '#contract/first-admin.ts';
import { hasAdmin } from '#db/queries/identity/users.ts';
import type { AppDeps } from '#server/app-deps.ts';
import { isOnThisMachine } from '#server/request-guards.ts';

/** GET /api/first-admin, which shows the first visitor of a new installation what to do. It gives no access. */
export const firstAdminRoutes: FastifyPluginAsyncZod<{ deps: AppDeps }> = async (app, { deps }) => {
  // The last administrator cannot be removed, so once there is one no more public requests reach the database.
  let isTaken = false;

  app.get(
    '/api/first-admin',
    { config: { access: 'public' }, schema: { response: { 200: FirstAdmin } } },
    async (request): Promise<FirstAdmin> => {
      isTaken ||= await hasAdmin(deps.db);
      if (isTaken) return { way: 'taken' };
      return { way: isOnThisMachine(deps, request) ? 'registration' : 'setup_link' };
    },
  );
};
