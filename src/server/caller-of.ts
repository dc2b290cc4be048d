import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Caller } from '#usecases/identity/accounts/account-deps.ts';
import type { SessionCookie } from './session-cookie.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The mark of a browser that logged in before, as it was sent; null without one. */
    browserMark: string | null;
  }
}

const LONGEST_USER_AGENT = 300;

/** Where a request came from. */
export function callerOf(request: FastifyRequest): Caller {
  const userAgent = request.headers['user-agent']?.slice(0, LONGEST_USER_AGENT) ?? null;
  return { address: request.ip, userAgent, requestId: request.id, browser: request.browserMark };
}

/** Gives every request a {@link Caller} with the mark of its browser. */
export function readBrowserMarks(app: FastifyInstance, cookie: SessionCookie): void {
  app.decorateRequest('browserMark', null);
  app.addHook('onRequest', async (request) => {
    request.browserMark = cookie.read(request);
  });
}
