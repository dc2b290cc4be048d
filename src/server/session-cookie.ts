import type { FastifyReply, FastifyRequest } from 'fastify';
import { SESSION_ABSOLUTE_LIMIT } from '#usecases/sessions.ts';

/** How the session travels: a `__Host-` cookie behind https; the prefix needs Secure, which plain http cannot have. */
export type SessionCookie = {
  /** The token of the request; null when there is none or it cannot be one of ours. */
  read(request: FastifyRequest): string | null;
  write(reply: FastifyReply, token: string): void;
  clear(reply: FastifyReply): void;
};

const TOKEN = /^[\w-]{43}$/;

export function createSessionCookie(behindHttps: boolean): SessionCookie {
  const name = behindHttps ? '__Host-pricewright' : 'pricewright';
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
