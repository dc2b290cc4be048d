import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { ChangeRole, RemovedUser, ResetPassword, User, Users, VerificationLink } from '#contract/users.ts';
import { listUsers, type UserRow } from '#db/queries/identity/users.ts';
import type { AppDeps } from '#server/app-deps.ts';
import { editorOf } from '#server/editor-of.ts';
import { sessionUserView } from '#server/user-views.ts';
import { approveUser } from '#usecases/identity/users/approve-user.ts';
import { changeRole } from '#usecases/identity/users/change-role.ts';
import type { ChangedUser } from '#usecases/identity/users/change-user.ts';
import { disableTwoFactor } from '#usecases/identity/users/disable-two-factor.ts';
import { handOverLink } from '#usecases/identity/users/hand-over-link.ts';
import { removeUser } from '#usecases/identity/users/remove-user.ts';
import { resendVerification } from '#usecases/identity/users/resend-verification.ts';
import { resetPassword } from '#usecases/identity/users/reset-password.ts';
import { withdrawApproval } from '#usecases/identity/users/withdraw-approval.ts';

/** Every change requires a recent password: an unlocked screen must not be enough to become an administrator. */
const config = { access: 'admin', stepUp: true } as const;
const OneUser = z.strictObject({ id: z.string().max(100) });
const ON_ONE = { config, schema: { params: OneUser, response: { 200: User } } } as const;

const iso = (moment: number): string => new Date(moment).toISOString();

export const userRoutes: FastifyPluginAsyncZod<{ deps: AppDeps }> = async (app, { deps }) => {
  const userView = (user: UserRow): User => ({
    ...sessionUserView(user),
    mustChangePassword: user.mustChangePassword,
    verifiesBy: user.emailVerified ? null : deps.sendsEmail ? 'email' : 'link',
    createdAt: iso(user.createdAt),
  });
  const endStreams = ({ endedSessions }: ChangedUser): void => {
    for (const id of endedSessions) deps.liveStreams.endSession(id);
  };
  const viewOf = (changed: ChangedUser): User => {
    endStreams(changed);
    if (changed.user === null) throw new Error('The changed user does not exist.');
    return userView(changed.user);
  };

  app.get('/api/users', { config: { access: 'admin' }, schema: { response: { 200: Users } } }, async () =>
    (await listUsers(deps.db)).map(userView),
  );

  app.put('/api/users/:id/approve', ON_ONE, async (request) =>
    viewOf(await approveUser(deps, request.params.id, editorOf(request))),
  );

  app.put('/api/users/:id/withdraw-approval', ON_ONE, async (request) =>
    viewOf(await withdrawApproval(deps, request.params.id, editorOf(request))),
  );

  app.delete(
    '/api/users/:id',
    { config, schema: { params: OneUser, response: { 200: RemovedUser } } },
    async (request) => {
      const removed = await removeUser(deps, request.params.id, editorOf(request));
      endStreams(removed);
      return { message: 'The user was removed.', stoppedJobs: removed.stoppedJobs };
    },
  );

  app.put(
    '/api/users/:id/reset-password',
    { config, schema: { params: OneUser, body: ResetPassword, response: { 200: User } } },
    async (request) =>
      viewOf(await resetPassword(deps, request.params.id, request.body.newPassword, editorOf(request))),
  );

  app.put('/api/users/:id/disable-2fa', ON_ONE, async (request) =>
    viewOf(await disableTwoFactor(deps, request.params.id, editorOf(request))),
  );

  app.put(
    '/api/users/:id/role',
    { config, schema: { params: OneUser, body: ChangeRole, response: { 200: User } } },
    async (request) =>
      viewOf(await changeRole(deps, request.params.id, request.body.role, editorOf(request))),
  );

  app.post('/api/users/:id/verification-email', ON_ONE, async (request) =>
    viewOf(await resendVerification(deps, request.params.id, editorOf(request))),
  );

  app.post(
    '/api/users/:id/verification-link',
    { config, schema: { params: OneUser, response: { 200: VerificationLink } } },
    async (request) => {
      const { url, expiresAt } = await handOverLink(deps, request.params.id, editorOf(request));
      return { url, expiresAt: iso(expiresAt) };
    },
  );
};
