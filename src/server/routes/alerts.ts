import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { Alerts } from '#contract/alerts.ts';
import { countUnseen, listAlerts, markAlertsSeen } from '#db/queries/repricing/alerts.ts';
import { hours, type Instant } from '#domain/units.ts';
import type { AppDeps } from '#server/app-deps.ts';
import { sessionOf } from '#server/request-guards.ts';

const DAY = hours(24);
const MOST = 50;

type Reader = ReturnType<typeof sessionOf>['user'];

export const alertRoutes: FastifyPluginAsyncZod<{ deps: AppDeps }> = async (app, { deps }) => {
  const route = { config: { access: 'loggedIn' }, schema: { response: { 200: Alerts } } } as const;
  app.get('/api/alerts', route, (request) => alertsFor(deps, sessionOf(request).user));
  app.post('/api/alerts/seen', route, async (request) => {
    const { user } = sessionOf(request);
    await markAlertsSeen(deps.db, user.id, deps.now());
    return alertsFor(deps, user);
  });
};

/** Credential errors, and messages of a service that cannot be read, are for administrators. */
async function alertsFor({ db, now }: AppDeps, { id: userId, role }: Reader): Promise<Alerts> {
  const reader = role === 'admin' ? 'admin' : 'user';
  const rows = await listAlerts(db, (now() - DAY) as Instant, MOST, reader);
  return {
    unseen: await countUnseen(db, userId, reader),
    alerts: rows.map(({ id, kind, message, forUsers, link, startedAt, endedAt }) => ({
      id: String(id),
      kind,
      message: role === 'admin' ? message : (forUsers ?? message),
      link,
      startedAt: new Date(startedAt).toISOString(),
      endedAt: endedAt === null ? null : new Date(endedAt).toISOString(),
    })),
  };
}
