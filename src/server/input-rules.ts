import type { FastifyInstance, FastifySchema } from 'fastify';
import { z } from 'zod';
import { ErrorBody } from '#contract/errors.ts';

const NoQuery = z.strictObject({});
const NoBody = z.strictObject({}).nullish();

/**
 * Every API route checks all it is sent: one that declares no query or body takes none. Zod neither turns one
 * type into another nor drops fields silently, as the framework's own validator would.
 */
export function checkAllInput(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    if (!route.url.startsWith('/api/') || route.url.startsWith('/api/docs')) return;
    const schema: FastifySchema = { querystring: NoQuery, ...route.schema };
    if (route.method !== 'GET') schema.body ??= NoBody;
    schema.response = { '4xx': ErrorBody, '5xx': ErrorBody, ...(schema.response ?? {}) };
    route.schema = schema;
  });
}
