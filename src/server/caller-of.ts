import type { FastifyRequest } from 'fastify';
import type { Caller } from '#usecases/accounts/account-deps.ts';

const LONGEST_USER_AGENT = 300;

/** Where a request came from. */
export function callerOf(request: FastifyRequest): Caller {
  const userAgent = request.headers['user-agent']?.slice(0, LONGEST_USER_AGENT) ?? null;
  return { address: request.ip, userAgent, requestId: request.id };
}
