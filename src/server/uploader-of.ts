import type { FastifyRequest } from 'fastify';
import type { Uploader } from '#usecases/catalog/imports/import-roles.ts';
import { actorOf } from './editor-of.ts';
import { assuranceFor, sessionOf } from './request-guards.ts';

/** The caller as one who imports files. */
export function uploaderOf(request: FastifyRequest): Uploader {
  const { twoFactor } = assuranceFor(request);
  return { ...actorOf(request), isAdmin: sessionOf(request).user.role === 'admin', twoFactor };
}
