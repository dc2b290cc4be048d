import type { FastifyInstance, FastifySchema } from 'fastify';
import { z } from 'zod';
import { ErrorBody } from '#contract/errors.ts';
import { AppError } from '#usecases/app-error.ts';
import { UNSTORABLE } from './error-replies.ts';

const NoQuery = z.strictObject({});
/** The body of a call that takes none. */
export const NoBody = z.strictObject({}).nullish();

/**
 * Every API route validates all of its input: one that declares no query or body accepts none. Zod neither coerces
 * types nor drops fields silently, as the framework's own validator would.
 */
export function checkAllInput(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    if (!route.url.startsWith('/api/') || route.url.startsWith('/api/docs')) return;
    const schema: FastifySchema = { querystring: NoQuery, ...route.schema };
    if (route.method !== 'GET') schema.body ??= NoBody;
    schema.response = { '4xx': ErrorBody, '5xx': ErrorBody, ...(schema.response ?? {}) };
    route.schema = schema;
  });
  app.addHook('preValidation', async ({ body }) => {
    if (isPlain(body) && hasHalfCharacters(body)) throw new AppError('bad_request', UNSTORABLE);
  });
}

/** Parsed by our own JSON parser; an uploaded file is a stream. */
function isPlain(body: unknown): boolean {
  return Array.isArray(body) || (body instanceof Object && Object.getPrototypeOf(body) === Object.prototype);
}

/**
 * Whether a text in it contains an unpaired surrogate ("\ud83d"), which JSON can express and neither UTF-8 nor
 * PostgreSQL can store. With a stack of its own instead of recursion: a body may be nested as deep as it is long.
 */
function hasHalfCharacters(body: unknown): boolean {
  const left = [body];
  while (left.length > 0) {
    const part = left.pop();
    if (typeof part === 'string' && /\p{Surrogate}/u.test(part)) return true;
    if (typeof part !== 'object' || part === null) continue;
    for (const [name, member] of Object.entries(part)) left.push(name, member);
  }
  return false;
}
