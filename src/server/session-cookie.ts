import type { FastifyReply, FastifyRequest } from 'fastify';
import { SESSION_ABSOLUTE_LIMIT } from '#usecases/accounts/sessions.ts';

/** How the session travels: a `__Host-` cookie behind https; the prefix needs Secure, which plain http cannot have. */
export type SessionCookie = {
  /** The token of the request; null when there is none or it cannot be one of ours. */
  read(request: FastifyRequest): string | null;
  write(reply: FastifyReply, token: string): void;
  clear(reply: FastifyReply): void;
};

const TOKEN = /^[\w-]{43}$/;

/** @param isDemo cookies ignore ports: a sample shop beside the real one needs a name of its own */
export function createSessionCookie(behindHttps: boolean, isDemo = false): SessionCookie {
  const plain = isDemo ? 'pricewright_demo' : 'pricewright';
  const name = behindHttps ? '__Host-pricewright' : plain;
  // Lax, not Strict: following a link from a mail should find the reader signed in.
  const options = { path: '/', httpOnly: true, sameSite: 'lax', secure: behindHttps } as const;
  return {
    read: (request) => {
      const value = request.cookies[name];
      return value !== undefined && TOKEN.test(value) ? value : null;
    },
    write: (reply, token) => {
      reply.setCookie(name, token, { ...options, maxAge: SESSION_ABSOLUTE_LIMIT / 1_000 });
    },
    clear: (reply) => {
      reply.clearCookie(name, options);
    },
  };
}
