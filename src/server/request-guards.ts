import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Db } from '#db/client.ts';
import { isUnwritable } from '#db/error-code.ts';
import { UNRESTRICTED, underPermit } from '#db/permitted.ts';
import type { FoundApiToken } from '#db/queries/identity/api-tokens.ts';
import type { LiveSession } from '#db/queries/identity/sessions.ts';
import { AppError } from '#usecases/app-error.ts';
import { checkFloorDrops } from '#usecases/catalog/costs/lowered-floors.ts';
import { sessionNow } from '#usecases/identity/accounts/account-deps.ts';
import { checkAccess } from '#usecases/identity/accounts/check-access.ts';
import { requireOperatorToken } from '#usecases/identity/accounts/operator-token.ts';
import type { SessionAssurance } from '#usecases/identity/accounts/session-assurance.ts';
import { findSession, holdSession, keepSessionAlive } from '#usecases/identity/accounts/sessions.ts';
import { notForTokens, requireScope } from '#usecases/identity/tokens/require-scope.ts';
import {
  countCallOf,
  findApiToken,
  holdApiToken,
  refindApiToken,
} from '#usecases/identity/tokens/token-access.ts';
import { demandsOf } from './access.ts';
import type { AppDeps } from './app-deps.ts';
import {
  isForThisMachineAlone,
  isFromThisMachine,
  isSameOrigin,
  isServedHost,
  ownOrigins,
  type Reach,
  type RequestFacts,
} from './request-origin.ts';
import type { SessionCookie } from './session-cookie.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on routes that require a logged-in user. */
    session: LiveSession | null;
    /** Set with the session. */
    assurance: SessionAssurance | null;
    /** The API token of a program; null for browsers. */
    apiToken: FoundApiToken | null;
  }
}

export function requestFacts(request: FastifyRequest): RequestFacts {
  const { method, headers, socket } = request.raw;
  return { method: method ?? 'GET', headers, socketAddress: socket.remoteAddress };
}

/**
 * Whether the caller is the owner of the machine, as far as a connection can prove it; never where the server is
 * reachable from other machines.
 */
export function isOnThisMachine(deps: Reach, request: FastifyRequest): boolean {
  return isForThisMachineAlone(deps) && isFromThisMachine(requestFacts(request));
}

/**
 * Refuses a request with two Host headers: Node uses the first and a proxy in front may have used the second, and
 * our checks of the origin and of this machine depend on the Host.
 */
export function rejectDuplicateHost(app: FastifyInstance): void {
  app.addHook('onRequest', async (request) => {
    if (hasTwoHosts(request)) throw new AppError('bad_request', 'Send the Host header once.');
  });
}

export function hasTwoHosts({ raw: { rawHeaders } }: FastifyRequest): boolean {
  return rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host').length > 1;
}

/**
 * Refuses requests to host names that are not ours: a page of another site could point its name to this machine,
 * and would then be same-origin. With PUBLIC_URL only that origin may write, whatever the Host.
 */
export function rejectOtherHosts(
  app: FastifyInstance,
  { publicUrl, boundToLoopback, home }: Pick<AppDeps, 'publicUrl' | 'boundToLoopback' | 'home'>,
): void {
  if (publicUrl !== null) return;
  app.addHook('onRequest', async (request) => {
    if (isServedHost(request.raw.headers.host, { boundToLoopback, home: home() })) return;
    throw new AppError(
      'wrong_host',
      `Pricewright does not answer by this name. Open ${home()}, or set PUBLIC_URL to the address that browsers use and start again.`,
    );
  });
}

/** Refuses writes that another site started. Runs before the access check: it needs no database. */
export function rejectCrossSite(app: FastifyInstance, publicUrl: string | null): void {
  app.addHook('onRequest', async (request) => {
    // No session is read there, so that none can be abused.
    if (request.routeOptions.config.isSigned === true) return;
    // Browsers add cookies to requests of other sites, but no such header; and cookies are not read there.
    if (bearerOf(request) !== null) return;
    const facts = requestFacts(request);
    const own = ownOrigins(publicUrl, facts.headers);
    if (isSameOrigin(facts, own)) return;
    throw new AppError(
      'cross_site',
      `This request was not started by Pricewright's own pages. Programs send the header "Origin: ${own[0] ?? 'the address of this server'}".`,
    );
  });
}

/**
 * Enforces the declared level of the route. Session, role and approval are read from the database when the headers
 * have arrived, again when the body has, and in every transaction that the request writes in.
 */
export function enforceAccess(app: FastifyInstance, deps: AppDeps, cookie: SessionCookie): void {
  app.decorateRequest('session', null);
  app.decorateRequest('assurance', null);
  app.decorateRequest('apiToken', null);
  app.addHook('onRequest', async (request) => {
    if (request.is404) return;
    const { access } = request.routeOptions.config;
    if (access === 'operator') return requireOperator(request, deps);
    if (access === 'public') return;
    const bearer = bearerOf(request);
    if (bearer !== null) return admitProgram(request, bearer);
    const session = await look(request);
    await keepSessionAlive(deps.db, session, sessionNow(deps)).catch((error: unknown) => {
      // Users can still read while the disk is full, until their session expires.
      if (!isUnwritable(error)) throw error;
      request.log.warn({ err: error }, 'session use could not be recorded');
    });
  });
  app.addHook('preValidation', async (request) => {
    if (request.session === null || request.body === undefined) return;
    const bearer = bearerOf(request);
    if (bearer === null) await look(request);
    else admit(request, await refindApiToken(deps, bearer));
  });
  app.addHook('preHandler', (request, _reply, done) => {
    underPermit(request.session === null ? UNRESTRICTED : (tx) => hold(tx, request), done);
  });

  /** @throws AppError when the session has ended, or does not suffice for this call */
  async function look(request: FastifyRequest): Promise<LiveSession> {
    const token = cookie.read(request);
    const session = token === null ? null : await findSession(deps.db, token, sessionNow(deps));
    // Before the check: the audit log records the user of a denied request.
    if (session !== null) request.session = session;
    request.assurance = checkAccess(
      session,
      demandsOf(request.routeOptions.config, request.method),
      deps.requiresTwoFactor,
    );
    return sessionOf(request);
  }

  /** @throws AppError when the token is none, may not make this call, or made its calls of this minute */
  async function admitProgram(request: FastifyRequest, bearer: string): Promise<void> {
    const token = await findApiToken(deps, bearer, request.ip);
    // Before the checks: the audit log records the user of a denied request.
    request.apiToken = token;
    request.session = sessionOfToken(token);
    await countCallOf(deps, token, request.ip);
    admit(request, token);
  }

  /** @throws AppError when the token may not make this call, or its user may not */
  function admit(request: FastifyRequest, token: FoundApiToken): SessionAssurance {
    const { config } = request.routeOptions;
    requireScope(token, config.scope ?? null);
    // Whatever a table says: a password cannot be asked for here.
    if (config.stepUp === true) throw notForTokens();
    request.apiToken = token;
    request.session = sessionOfToken(token);
    request.assurance = checkAccess(
      request.session,
      demandsOf(config, request.method),
      deps.requiresTwoFactor,
    );
    return request.assurance;
  }

  async function hold(tx: Db, request: FastifyRequest): Promise<(tx: Db) => Promise<void>> {
    const assurance = await holdAccess(tx, request);
    const { id, username } = sessionOf(request).user;
    const editor = { id, name: username, address: request.ip, requestId: request.id };
    return (work) => checkFloorDrops(work, editor, assurance, deps.now());
  }

  async function holdAccess(tx: Db, request: FastifyRequest): Promise<SessionAssurance> {
    const bearer = bearerOf(request);
    if (bearer !== null) return admit(request, await holdApiToken(tx, deps, bearer));
    const token = cookie.read(request);
    const session = token === null ? null : await holdSession(tx, token, sessionNow(deps));
    return checkAccess(
      session,
      demandsOf(request.routeOptions.config, request.method),
      deps.requiresTwoFactor,
    );
  }
}

/**
 * What follows `Bearer` in a request to a route that takes API tokens; null without one. Such a request is a program's:
 * its cookies are not read. Public routes and those of the operator do not know API tokens.
 */
export function bearerOf(request: FastifyRequest): string | null {
  const { access } = request.routeOptions.config;
  if (access !== 'loggedIn' && access !== 'admin') return null;
  return (
    /^bearer(?: +(.*))?$/is
      .exec(request.headers.authorization ?? '')
      ?.slice(1)
      .join('') ?? null
  );
}

/** A program has no session: nothing that asks for a recent password is satisfied. */
function sessionOfToken({ id, user }: FoundApiToken): LiveSession {
  const stepUpAgo = Number.POSITIVE_INFINITY;
  return { id: `token ${id}`, seenAgo: 0, stepUpAgo, hasSecondFactor: false, user };
}

/** The session of a route that is not public. @throws Error when the route is public after all: a bug */
export function sessionOf(request: FastifyRequest): LiveSession {
  if (request.session === null) throw new Error(`${request.routeOptions.url} has no session: is it public?`);
  return request.session;
}

/** For routes where only certain calls need more than the role. @throws Error when the route is public: a bug */
export function assuranceFor(request: FastifyRequest): SessionAssurance {
  if (request.assurance === null)
    throw new Error(`${request.routeOptions.url} has no session: is it public?`);
  return request.assurance;
}

/** The machine itself needs no token, and no database either, unless other machines can reach the server. */
async function requireOperator(request: FastifyRequest, deps: AppDeps): Promise<void> {
  if (isOnThisMachine(deps, request)) return;
  await requireOperatorToken(deps, request.headers.authorization, deps.metricsToken, request.ip);
}
