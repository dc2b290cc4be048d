import type { FastifyContextConfig, FastifyInstance, FastifySchema } from 'fastify';
import type { ApiScope } from '#domain/api-scopes.ts';
import type { Demands } from '#usecases/identity/accounts/check-access.ts';
import { scopeOf } from './token-scopes.ts';

/**
 * Who may call a route.
 * `public`: everyone. `loggedIn`: an active session of an approved account. `admin`: the same, with that role, and
 * with a second factor for everything but GET, where this server requires one.
 * `operator`: the machine itself or the holder of METRICS_TOKEN.
 */
export const ACCESS_LEVELS = ['public', 'loggedIn', 'admin', 'operator'] as const;
export type Access = (typeof ACCESS_LEVELS)[number];

export const ACCESS_LABELS: Readonly<Record<Access, string>> = {
  public: 'No login needed.',
  loggedIn: 'For logged-in users with an approved account.',
  admin: 'Administrators only.',
  operator: 'From the same machine, or with METRICS_TOKEN.',
};

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access;
    /** Requires a password entered within the last ten minutes. */
    stepUp?: boolean;
    /** Called by external services, which authenticate by a signature over the body and have no origin. */
    isSigned?: boolean;
    /** The scope that an API token needs; undefined or null: no token may call it. */
    scope?: ApiScope | null;
  }
}

/** What a route requires of its caller besides a session. Changes by an administrator require the second factor. */
export function demandsOf({ access, stepUp }: FastifyContextConfig, method: string): Demands {
  const isAdmins = access === 'admin';
  return { admin: isAdmins, proof: stepUp === true, twoFactor: isAdmins && !isRead(method) };
}

/** Whether a method changes nothing. */
function isRead(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** Routes registered by a plugin, which cannot declare their own level. */
const PLUGIN_ROUTES: ReadonlyArray<{ prefix: string; access: Access }> = [
  { prefix: '/api/docs', access: 'admin' },
];

export type DeclaredRoute = {
  readonly method: string;
  readonly path: string;
  readonly access: Access;
  /** What an API token needs; null: no token may call it. */
  readonly scope: ApiScope | null;
  readonly schema: FastifySchema | undefined;
};

/**
 * Denies by default: a route without a declared level stops the server from starting.
 * @returns the list of routes, complete once the app is ready
 */
export function requireDeclaredAccess(app: FastifyInstance): readonly DeclaredRoute[] {
  const routes: DeclaredRoute[] = [];
  app.addHook('onRoute', (route) => {
    const ofPlugin = PLUGIN_ROUTES.find(({ prefix }) => `${route.url}/`.startsWith(`${prefix}/`));
    const access = route.config?.access ?? ofPlugin?.access;
    if (access === undefined) {
      throw new Error(
        `${route.method} ${route.url} declares no access level: add config: { access: '…' } to the route.`,
      );
    }
    const methods = [route.method].flat();
    const scope = methods.length === 1 ? scopeOf(`${methods[0]} ${route.url}`) : null;
    route.config = { ...route.config, access, scope };
    for (const method of methods)
      routes.push({ method, path: route.url, access, scope, schema: route.schema });
  });
  return routes;
}

/**
 * The methods of the routes at this address; empty when there is none. An encoded slash is not a slash, as in the
 * router.
 */
export function methodsFor(routes: readonly DeclaredRoute[], url: string): string[] {
  const wanted = (url.split('?', 1)[0] ?? '').split('/').map(decoded);
  const methods = new Set<string>();
  for (const route of routes) {
    const pattern = route.path.split('/');
    const matches =
      pattern.length === wanted.length &&
      pattern.every(
        (part, index) => part === wanted[index] || (part.startsWith(':') && wanted[index] !== ''),
      );
    if (matches) methods.add(route.method);
  }
  return [...methods].sort();
}

/** A path segment with its percent-encoding decoded; unchanged when it is invalid. */
export function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
