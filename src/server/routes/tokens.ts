import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { type ApiToken, ApiTokens, MadeApiToken, MakeApiToken } from '#contract/api-tokens.ts';
import { Done } from '#contract/users.ts';
import { type ListedApiToken, listApiTokens } from '#db/queries/identity/api-tokens.ts';
import type { AppDeps } from '#server/app-deps.ts';
import { editorOf } from '#server/editor-of.ts';
import { assuranceFor, sessionOf } from '#server/request-guards.ts';
import { sessionNow } from '#usecases/identity/accounts/account-deps.ts';
import { makeApiToken } from '#usecases/identity/tokens/make-token.ts';
import { revokeApiToken } from '#usecases/identity/tokens/revoke-token.ts';

const OneId = z.strictObject({ id: z.string().max(100) });

const iso = (moment: number): string => new Date(moment).toISOString();

function tokenView({ userId, ...token }: ListedApiToken, callerId: string): ApiToken {
  const { id, name, scopes, callsPerMinute, isExpired, lastUsedAt, lastNetwork, username } = token;
  return {
    id,
    name,
    scopes,
    callsPerMinute,
    createdAt: iso(token.createdAt),
    expiresAt: iso(token.expiresAt),
    isExpired,
    lastUsedAt: lastUsedAt === null ? null : iso(lastUsedAt),
    lastNetwork,
    username,
    isOwn: userId === callerId,
  };
}

/** API tokens: what they are, never the tokens themselves. */
export const tokenRoutes: FastifyPluginAsyncZod<{ deps: AppDeps }> = async (app, { deps }) => {
  const views = async (of: string | null, callerId: string): Promise<ApiToken[]> =>
    (await listApiTokens(deps.db, of, sessionNow(deps))).map((token) => tokenView(token, callerId));

  app.get(
    '/api/tokens',
    { config: { access: 'loggedIn' }, schema: { response: { 200: ApiTokens } } },
    async (request) => {
      const { id } = sessionOf(request).user;
      return views(id, id);
    },
  );

  app.get(
    '/api/tokens/all',
    { config: { access: 'admin' }, schema: { response: { 200: ApiTokens } } },
    async (request) => views(null, sessionOf(request).user.id),
  );

  app.post(
    '/api/tokens',
    {
      config: { access: 'loggedIn', stepUp: true },
      schema: { body: MakeApiToken, response: { 201: MadeApiToken } },
    },
    async (request, reply) => {
      const { id, secret, expiresAt } = await makeApiToken(deps, request.body, editorOf(request));
      return reply.code(201).send({ id, token: secret, expiresAt: iso(expiresAt) });
    },
  );

  app.delete(
    '/api/tokens/:id',
    { config: { access: 'loggedIn' }, schema: { params: OneId, response: { 200: Done } } },
    async (request) => {
      const { twoFactor } = assuranceFor(request);
      const isAdmin = sessionOf(request).user.role === 'admin';
      await revokeApiToken(deps, request.params.id, { isAdmin, twoFactor }, editorOf(request));
      return { message: 'The API token was revoked.' };
    },
  );
};
