import type { FastifyReply, FastifyRequest } from 'fastify';
import { BROWSERS_KEPT } from '#db/queries/background/expired.ts';
import { SESSION_ABSOLUTE_LIMIT } from '#usecases/identity/accounts/sessions.ts';
import { PROVIDER_LOGIN_TTL } from '#usecases/identity/provider/start-login.ts';

/**
 * The cookie of the session token: with the `__Host-` prefix behind https; the prefix needs Secure, which plain
 * http cannot have.
 */
export type SessionCookie = {
  /** The token of the request; null when there is none or it cannot be one of ours. */
  read(request: FastifyRequest): string | null;
  write(reply: FastifyReply, token: string): void;
  clear(reply: FastifyReply): void;
};

const TOKEN = /^[\w-]{43}$/;

/** @param isDemo cookies ignore ports: a demo on the same host as the real installation needs a name of its own */
export function createSessionCookie(behindHttps: boolean, isDemo = false): SessionCookie {
  return tokenCookie(nameOf(behindHttps, isDemo), behindHttps, SESSION_ABSOLUTE_LIMIT);
}

/** The mark of a browser that logged in before. It survives the logout, and gives no access. */
export function createBrowserCookie(behindHttps: boolean, isDemo = false): SessionCookie {
  return tokenCookie(`${nameOf(behindHttps, isDemo)}_browser`, behindHttps, BROWSERS_KEPT);
}

/** A login that this browser has begun at the identity provider. It gives no access, and works once. */
export function createLoginCookie(behindHttps: boolean, isDemo = false): SessionCookie {
  return tokenCookie(`${nameOf(behindHttps, isDemo)}_login`, behindHttps, PROVIDER_LOGIN_TTL);
}

function nameOf(behindHttps: boolean, isDemo: boolean): string {
  if (behindHttps) return '__Host-pricewright';
  return isDemo ? 'pricewright_demo' : 'pricewright';
}

/** @param life in milliseconds */
function tokenCookie(name: string, behindHttps: boolean, life: number): SessionCookie {
  // Lax, not Strict: a user who follows a link from an email should be logged in.
  const options = { path: '/', httpOnly: true, sameSite: 'lax', secure: behindHttps } as const;
  return {
    read: (request) => {
      const value = request.cookies[name];
      return value !== undefined && TOKEN.test(value) ? value : null;
    },
    write: (reply, token) => {
      reply.setCookie(name, token, { ...options, maxAge: life / 1_000 });
    },
    clear: (reply) => {
      reply.clearCookie(name, options);
    },
  };
}
