import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { Refusal } from '#sandbox/adapters/adapter.ts';
import { formOf, headerText } from '#sandbox/adapters/query.ts';
import { CREDENTIALS } from '#sandbox/credentials.ts';
import type { Market } from '#sandbox/world/market.ts';
import { shopifyRefusal } from './shopify-errors.ts';

const LIFETIME_SECONDS = 86_399;
const SCOPE = 'write_products,read_inventory,read_orders';

/** The token call for the client's own shop. */
export function addAuthRoutes(app: FastifyInstance, { tokens }: Market): void {
  const { clientId, clientSecret } = CREDENTIALS.shopify;
  app.post(
    '/admin/oauth/access_token',
    { config: { operation: 'shopifyClientCredentialsToken' } },
    async (request) => {
      const { grant_type, client_id, client_secret } = formOf(request);
      if (grant_type !== 'client_credentials') {
        throw new Refusal(400, {
          error: 'invalid_request',
          error_description: 'The grant type is not supported',
        });
      }
      if (client_id !== clientId || client_secret !== clientSecret) {
        const error_description = 'The client is not known, or its secret is wrong';
        throw new Refusal(400, { error: 'application_cannot_be_found', error_description });
      }
      const access_token = tokens.issue(LIFETIME_SECONDS * 1_000, { prefix: 'shpat_' });
      return { access_token, scope: SCOPE, expires_in: LIFETIME_SECONDS };
    },
  );
}

/** Requires the shop's API token or an issued one, and adds the API version header. */
export function requireAuth(app: FastifyInstance, { tokens }: Market, version: string): void {
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers({ 'x-shopify-api-version': version, 'x-request-id': randomUUID() });
  });
  app.addHook('preHandler', async (request) => {
    const token = headerText(request, 'x-shopify-access-token');
    const isTheShops = token === CREDENTIALS.shopify.apiKey;
    if (!isTheShops && tokens.check(token) !== 'good') throw shopifyRefusal(401);
  });
}
