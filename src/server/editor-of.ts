import type { FastifyRequest } from 'fastify';
import type { Actor, Editor } from '#usecases/editor.ts';
import { sessionOf } from './request-guards.ts';

/** The user of a request to a route that is not public. */
export function editorOf(request: FastifyRequest): Editor {
  const { user } = sessionOf(request);
  return { id: user.id, name: user.username, address: request.ip, requestId: request.id };
}

/** The same for what screens show with the full name: switches, runs, jobs and imports. */
export function actorOf(request: FastifyRequest): Actor & { readonly id: string } {
  const { id, fullName, username } = sessionOf(request).user;
  return { id, name: fullName, username, address: request.ip, requestId: request.id };
}
