import type { FastifyContextConfig, FastifyInstance, FastifySchema } from 'fastify';
import type { Demands } from '#usecases/identity/accounts/admission.ts';

/**
 * Who may call a route.
 * `public`: everybody. `signedIn`: a living session of an approved account. `admin`: the same, with that role, and
 * with a second factor for whatever is no GET, where this server demands one.
 * `operator`: the machine itself or the holder of METRICS_TOKEN.
 */
export const ACCESS_LEVELS = ['public', 'signedIn', 'admin', 'operator'] as const;
export type Access = (typeof ACCESS_LEVELS)[number];

export const ACCESS_WORDS: Readonly<Record<Access, string>> = {
  public: 'For everybody.',
  signedIn: 'For approved accounts that are signed in.',
  admin: 'For administrators.',
  operator: 'For the machine itself, or with the token of METRICS_TOKEN.',
};

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access;
    /** Asks for a password given within the last ten minutes. */
    stepUp?: boolean;
    /** Sent by programs of others, which prove themselves by a signature over the body and have no origin. */
    isSigned?: boolean;
  }
}

/** What a route asks of who calls it, beside a session. Whatever an administrator changes asks for the second factor. */
export function demandsOf({ access, stepUp }: FastifyContextConfig, method: string): Demands {
  const isAdmins = access === 'admin';
  return { admin: isAdmins, proof: stepUp === true, twoFactor: isAdmins && !isRead(method) };
}

/** Whether a method changes nothing. */
function isRead(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** Routes that a plugin registers for us and that can therefore not carry their own level. */
const PLUGIN_ROUTES: ReadonlyArray<{ prefix: string; access: Access }> = [
  { prefix: '/api/docs', access: 'admin' },
];

export type DeclaredRoute = {
  readonly method: string;
  readonly path: string;
  readonly access: Access;
  readonly schema: FastifySchema | undefined;
};

/**
 * Denies by default: a route without a declared level stops the server from starting.
 * @returns the list that fills up as routes are added; complete once the app is ready
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
    route.config = { ...route.config, access };
    for (const method of [route.method].flat())
      routes.push({ method, path: route.url, access, schema: route.schema });
  });
  return routes;
}

/** The methods some route answers for this address; empty when none does. An encoded slash is no slash, as in the router. */
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

/** A part of an address with its percent signs resolved; unchanged when they cannot be. */
export function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
