import type { FastifyRequest } from 'fastify';
import type { Editor } from '#usecases/editor.ts';
import { sessionOf } from './guards.ts';

/** Who sent a request of a route that is not public. */
export function editorOf(request: FastifyRequest): Editor {
  const { user } = sessionOf(request);
  return { id: user.id, name: user.username, address: request.ip, requestId: request.id };
}
