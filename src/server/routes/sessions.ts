import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { SessionUser } from '#contract/session.ts';
import { EditProfile, type Session, Sessions, SessionsEnded } from '#contract/sessions.ts';
import { Done } from '#contract/users.ts';
import type { ListedSession } from '#db/queries/identity/sessions.ts';
import { findUser } from '#db/queries/identity/users.ts';
import type { AppDeps } from '#server/app-deps.ts';
import { editorOf } from '#server/editor-of.ts';
import { sessionOf } from '#server/request-guards.ts';
import { sessionUserView } from '#server/user-views.ts';
import { AppError } from '#usecases/app-error.ts';
import { sessionNow } from '#usecases/identity/accounts/account-deps.ts';
import { clientName } from '#usecases/identity/accounts/client-name.ts';
import { editProfile } from '#usecases/identity/accounts/edit-profile.ts';
import { endOtherSessions } from '#usecases/identity/accounts/end-other-sessions.ts';
import { endSession } from '#usecases/identity/accounts/end-session.ts';
import { type EndedSessions, livingSessions } from '#usecases/identity/accounts/sessions.ts';
import { endSessions } from '#usecases/identity/users/end-sessions.ts';

const OneId = z.strictObject({ id: z.string().max(100) });

const iso = (moment: number): string => new Date(moment).toISOString();

function sessionView(
  { id, createdAt, lastSeenAt, address, userAgent }: ListedSession,
  current: string,
): Session {
  return {
    id,
    startedAt: iso(createdAt),
    lastSeenAt: iso(lastSeenAt),
    address,
    client: clientName(userAgent),
    isCurrent: id === current,
  };
}

/** A user's own account, and for administrators the sessions of all users. */
export const sessionRoutes: FastifyPluginAsyncZod<{ deps: AppDeps }> = async (app, { deps }) => {
  const sessionsOf = async (userId: string, current: string): Promise<Session[]> => {
    const living = await livingSessions(deps.db, userId, sessionNow(deps));
    const views = living.map((session) => sessionView(session, current));
    return [...views.filter(({ isCurrent }) => isCurrent), ...views.filter(({ isCurrent }) => !isCurrent)];
  };
  const reported = ({ endedSessions, count }: EndedSessions): SessionsEnded => {
    for (const id of endedSessions) deps.liveStreams.endSession(id);
    return { ended: count };
  };

  app.get(
    '/api/sessions',
    { config: { access: 'loggedIn' }, schema: { response: { 200: Sessions } } },
    async (request) => {
      const { id, user } = sessionOf(request);
      return sessionsOf(user.id, id);
    },
  );

  app.delete(
    '/api/sessions/:id',
    { config: { access: 'loggedIn' }, schema: { params: OneId, response: { 200: Done } } },
    async (request) => {
      await endSession(deps, request.params.id, editorOf(request));
      deps.liveStreams.endSession(request.params.id);
      return { message: 'The session has ended.' };
    },
  );

  app.post(
    '/api/sessions/end-others',
    { config: { access: 'loggedIn' }, schema: { response: { 200: SessionsEnded } } },
    async (request) => reported(await endOtherSessions(deps, sessionOf(request).id, editorOf(request))),
  );

  app.get(
    '/api/users/:id/sessions',
    { config: { access: 'admin' }, schema: { params: OneId, response: { 200: Sessions } } },
    async (request) => {
      const { id } = request.params;
      if ((await findUser(deps.db, id)) === null) {
        throw new AppError('not_found', 'This user was removed. Refresh the list.');
      }
      return sessionsOf(id, sessionOf(request).id);
    },
  );

  app.delete(
    '/api/users/:id/sessions',
    {
      config: { access: 'admin', stepUp: true },
      schema: { params: OneId, response: { 200: SessionsEnded } },
    },
    async (request) => reported(await endSessions(deps, request.params.id, editorOf(request))),
  );

  app.put(
    '/api/account/profile',
    { config: { access: 'loggedIn' }, schema: { body: EditProfile, response: { 200: SessionUser } } },
    async (request) => sessionUserView(await editProfile(deps, request.body, editorOf(request))),
  );
};
