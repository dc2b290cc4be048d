import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { Notices } from '#contract/notices.ts';
import { countUnseen, listNotices, noteLook } from '#db/queries/notices.ts';
import { hours, type Instant } from '#domain/units.ts';
import type { AppDeps } from '#server/app-deps.ts';
import { sessionOf } from '#server/guards.ts';

const DAY = hours(24);
const MOST = 50;

export const noticeRoutes: FastifyPluginAsyncZod<{ deps: AppDeps }> = async (app, { deps }) => {
  const route = { config: { access: 'signedIn' }, schema: { response: { 200: Notices } } } as const;
  app.get('/api/notices', route, (request) => noticesFor(deps, sessionOf(request).user.id));
  app.post('/api/notices/seen', route, async (request) => {
    const { id } = sessionOf(request).user;
    await noteLook(deps.db, id, deps.now());
    return noticesFor(deps, id);
  });
};

async function noticesFor({ db, now }: AppDeps, userId: string): Promise<Notices> {
  const rows = await listNotices(db, (now() - DAY) as Instant, MOST);
  return {
    unseen: await countUnseen(db, userId),
    notices: rows.map(({ id, kind, message, link, beganAt, endedAt }) => ({
      ...{ id: String(id), kind, message, link, beganAt: new Date(beganAt).toISOString() },
      endedAt: endedAt === null ? null : new Date(endedAt).toISOString(),
    })),
  };
}
