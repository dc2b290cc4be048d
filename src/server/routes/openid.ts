import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import {
  EditProvider,
  LoginWays,
  PROVIDER_RETURN_PATH,
  ProviderAnswer,
  ProviderLoginDone,
  ProviderPage,
  ProviderSettings,
  ProviderTest,
  StartProviderLogin,
  TestProvider,
} from '#contract/identity-provider.ts';
import { SECRET_MASK } from '#contract/settings.ts';
import { type ProviderRow, readProvider } from '#db/queries/identity/identity-provider.ts';
import type { LiveSession } from '#db/queries/identity/sessions.ts';
import type { AppDeps } from '#server/app-deps.ts';
import { startSession } from '#server/browser-sessions.ts';
import { callerOf } from '#server/caller-of.ts';
import { editorOf } from '#server/editor-of.ts';
import { outsideCalls } from '#server/outside-calls.ts';
import { requestFacts, sessionOf } from '#server/request-guards.ts';
import { ownOrigins } from '#server/request-origin.ts';
import type { SessionCookie } from '#server/session-cookie.ts';
import { createGate } from '#usecases/identity/accounts/password-hasher.ts';
import { finishProviderLogin } from '#usecases/identity/provider/finish-login.ts';
import { saveProvider } from '#usecases/identity/provider/save-provider.ts';
import { startProviderLogin } from '#usecases/identity/provider/start-login.ts';
import { testProvider } from '#usecases/identity/provider/test-provider.ts';

// A slow provider must not take all connections; later logins are refused with a retry time.
const UNDER_WAY = 8;
const IN_LINE = 60;

/** Milliseconds that a test of the provider may take: a user waits for it. */
const TEST_LIMIT = 25_000;

const settingsConfig = { access: 'admin', stepUp: true } as const;

/**
 * Login with an identity provider (OpenID Connect). The provider redirects the browser to a page of ours, which posts
 * the parameters from there: the GET changes nothing and reads no cookie.
 */
export const openidRoutes: FastifyPluginAsyncZod<{
  deps: AppDeps;
  cookie: SessionCookie;
  browserCookie: SessionCookie;
  loginCookie: SessionCookie;
}> = async (app, { deps, cookie, browserCookie, loginCookie }) => {
  const inLine = createGate(UNDER_WAY, IN_LINE);
  const calls = outsideCalls(app);

  const redirectUriOf = (request: FastifyRequest): string => {
    const [origin = ''] = ownOrigins(deps.publicUrl, requestFacts(request).headers);
    return `${origin}${PROVIDER_RETURN_PATH}`;
  };

  const endStreams = (ids: readonly string[]): void => {
    for (const id of ids) deps.liveStreams.endSession(id);
  };

  async function start(
    request: FastifyRequest,
    reply: FastifyReply,
    returnTo: string,
    session: LiveSession | null,
  ): Promise<ProviderPage> {
    const wanted = { redirectUri: redirectUriOf(request), returnTo, session };
    const { address, token } = await inLine(() => startProviderLogin(deps, wanted, callerOf(request)));
    loginCookie.write(reply, token);
    return { address };
  }

  app.get(
    '/api/openid',
    { config: { access: 'public' }, schema: { response: { 200: LoginWays } } },
    async (): Promise<LoginWays> => {
      const provider = await readProvider(deps.db);
      if (provider === null || !provider.isOn) return { provider: null, directLogin: 'all' };
      return { provider: provider.label, directLogin: provider.directLogin };
    },
  );

  app.post(
    '/api/openid/login',
    { config: { access: 'public' }, schema: { body: StartProviderLogin, response: { 200: ProviderPage } } },
    (request, reply) => start(request, reply, request.body.returnTo, null),
  );

  app.post(
    '/api/openid/step-up',
    { config: { access: 'loggedIn' }, schema: { body: StartProviderLogin, response: { 200: ProviderPage } } },
    (request, reply) => start(request, reply, request.body.returnTo, sessionOf(request)),
  );

  // Public: the browser has no session yet. Its cookie says which login it has begun.
  app.post(
    '/api/openid/answer',
    { config: { access: 'public' }, schema: { body: ProviderAnswer, response: { 200: ProviderLoginDone } } },
    async (request, reply): Promise<ProviderLoginDone> => {
      const token = loginCookie.read(request);
      loginCookie.clear(reply);
      const returned = { token, query: request.body.query, sessionToken: cookie.read(request) };
      const outcome = await inLine(() => finishProviderLogin(deps, returned, callerOf(request)));
      endStreams(outcome.endedSessions);
      if (outcome.kind === 'refused') throw outcome.error;
      const { loggedIn, returnTo } = outcome.value;
      if (loggedIn === null) return { user: null, returnTo };
      const user = await startSession(deps, { cookie, browserCookie }, request, reply, loggedIn);
      return { user, returnTo };
    },
  );

  app.get(
    '/api/openid/settings',
    { config: { access: 'admin' }, schema: { response: { 200: ProviderSettings } } },
    async (request) => settingsView(await readProvider(deps.db), redirectUriOf(request)),
  );

  app.put(
    '/api/openid/settings',
    { config: settingsConfig, schema: { body: EditProvider, response: { 200: ProviderSettings } } },
    async (request) => {
      const { id } = sessionOf(request);
      const { provider, endedSessions } = await saveProvider(deps, request.body, editorOf(request), id);
      endStreams(endedSessions);
      return settingsView(provider, redirectUriOf(request));
    },
  );

  app.post(
    '/api/openid/test',
    { config: settingsConfig, schema: { body: TestProvider, response: { 200: ProviderTest } } },
    (request) =>
      calls.within('the identity provider', TEST_LIMIT, () => testProvider(deps, request.body.issuer)),
  );
};

function settingsView(row: ProviderRow | null, redirectUri: string): ProviderSettings {
  if (row === null) return { values: null, version: null, updatedAt: null, redirectUri };
  return {
    values: {
      isOn: row.isOn,
      issuer: row.issuer,
      clientId: row.clientId,
      clientSecret: row.clientSecret === null ? '' : SECRET_MASK,
      label: row.label,
      scopes: row.scopes,
      groupsClaim: row.groupsClaim,
      adminGroups: row.adminGroups,
      userGroups: row.userGroups,
      linksAccounts: row.linksAccounts,
      createsAccounts: row.createsAccounts,
      secondFactor: row.secondFactor,
      factorAcrs: row.factorAcrs,
      directLogin: row.directLogin,
    },
    version: row.version,
    updatedAt: new Date(row.updatedAt).toISOString(),
    redirectUri,
  };
}
