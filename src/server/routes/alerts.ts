import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { Notices } from '#contract/alerts.ts';
import { countUnseen, listNotices, markAlertsSeen } from '#db/queries/repricing/alerts.ts';
import { hours, type Instant } from '#domain/units.ts';
import type { AppDeps } from '#server/app-deps.ts';
import { sessionOf } from '#server/request-guards.ts';

const DAY = hours(24);
const MOST = 50;

type Reader = ReturnType<typeof sessionOf>['user'];

export const noticeRoutes: FastifyPluginAsyncZod<{ deps: AppDeps }> = async (app, { deps }) => {
  const route = { config: { access: 'signedIn' }, schema: { response: { 200: Notices } } } as const;
  app.get('/api/notices', route, (request) => noticesFor(deps, sessionOf(request).user));
  app.post('/api/notices/seen', route, async (request) => {
    const { user } = sessionOf(request);
    await markAlertsSeen(deps.db, user.id, deps.now());
    return noticesFor(deps, user);
  });
};

/** What is wrong with keys, and the words of a service that cannot be read, are for administrators. */
async function noticesFor({ db, now }: AppDeps, { id: userId, role }: Reader): Promise<Notices> {
  const reader = role === 'admin' ? 'admin' : 'user';
  const rows = await listNotices(db, (now() - DAY) as Instant, MOST, reader);
  return {
    unseen: await countUnseen(db, userId, reader),
    notices: rows.map(({ id, kind, message, forUsers, link, startedAt, endedAt }) => ({
      id: String(id),
      kind,
      message: role === 'admin' ? message : (forUsers ?? message),
      link,
      startedAt: new Date(startedAt).toISOString(),
      endedAt: endedAt === null ? null : new Date(endedAt).toISOString(),
    })),
  };
}
